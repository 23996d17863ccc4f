package dev.clockwire.bench.artefact;

import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.roce.fabric.FrameTap;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.LldpPacket;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Token;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/**
 * Brings the frames of several ports into the order of their first bits. An end tells of a frame when it accepts it,
 * which may be before its first bit leaves, so frames are held until nothing earlier can come. Frames of one instant are in
 * the order of the ports.
 */
public final class FrameOrder {
    /** The opcode of what is no RoCE packet. */
    public static final int NO_OPCODE = -1;

    private static final int SHORTEST = 60;

    private final LongSupplier now;
    private final Sink sink;
    private final FrameEncoder encoder = new FrameEncoder();
    private final PriorityQueue<Frame> held =
            new PriorityQueue<>(Comparator.comparingLong(Frame::ps).thenComparingInt(Frame::port));
    private byte[] buffer = new byte[1 << 14];

    private FrameOrder(LongSupplier now, Sink sink) {
        this.now = now;
        this.sink = sink;
    }

    /**
     * A frame on the line.
     *
     * @param ps when its first bit leaves
     * @param port number of the port that sends it: of a lab, 0 for the first host, 1 for the second
     * @param opcode BTH opcode, {@link #NO_OPCODE} of a pause, of LLDP and of plain Ethernet
     * @param psn packet sequence number
     * @param bytes the frame's length, padded to the shortest that Ethernet has, without FCS
     * @param data what is kept of it: all, or its headers if the payload is nowhere in bytes
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
    public record Frame(long ps, int port, int opcode, int psn, int bytes, byte[] data) {}

    /** Takes frames in order. */
    @FunctionalInterface
    public interface Sink {
        /** Takes the next frame. */
        void frame(Frame frame);
    }

    /**
     * Starts to watch ports, each of which has no other observer; {@link #flush} hands on what is still held.
     *
     * @param now the time of the simulation
     * @param ends of links; their places are the ports' numbers
     */
    public static FrameOrder watch(LongSupplier now, List<LinkEnd> ends, Sink sink) {
        FrameOrder order = new FrameOrder(now, sink);
        for (int i = 0; i < ends.size(); i++) {
            int port = i;
            ends.get(i).tap((ps, end, token) -> order.sent(ps, port, token));
        }
        return order;
    }

    /** Starts to watch a lab's link; {@link #flush} hands on what is still held. */
    public static FrameOrder watch(Lab lab, Sink sink) {
        return watch(lab, View.LINE, sink);
    }

    /** Starts to watch what a lab's link, or one of its hosts, sees. */
    public static FrameOrder watch(Lab lab, View view, Sink sink) {
        FrameOrder order = new FrameOrder(lab.sim()::now, sink);
        FrameTap tap = (ps, end, token) -> order.sent(ps, end == lab.endOfA() || end == lab.facingB() ? 0 : 1, token);
        if (view == View.LINE) {
            lab.tapFrames(tap);
        } else {
            LinkEnd own = view == View.CLIENT ? lab.endOfA() : lab.endOfB();
            LinkEnd other = view == View.CLIENT ? lab.facingA() : lab.facingB();
            own.tapDepartures(tap);
            other.tapArrivals(tap);
        }
        return order;
    }

    /** Where frames are looked at: as they are on the line, or as one host sends them, intact and once, and receives them. */
    public enum View {
        /** Each frame once, at the port that sends it. */
        LINE,
        /** What the client sends and what reaches it. */
        CLIENT,
        /** What the server sends and what reaches it. */
        SERVER
    }

    private void sent(long ps, int port, Token token) {
        if (token instanceof RocePacket packet) {
            handOn(now.getAsLong());
            held.add(frame(ps, port, packet));
        } else if (token instanceof PauseFrame pause) {
            handOn(now.getAsLong());
            byte[] bytes = new byte[PauseFrame.BYTES];
            pause.encode(bytes, 0);
            held.add(new Frame(ps, port, NO_OPCODE, 0, bytes.length, bytes));
        } else if (token instanceof EthFrame plain) {
            handOn(now.getAsLong());
            held.add(new Frame(ps, port, NO_OPCODE, 0, plain.length, Arrays.copyOf(plain.bytes, plain.length)));
        } else if (token instanceof LldpPacket lldp) {
            handOn(now.getAsLong());
            byte[] bytes = lldp.bytes();
            held.add(new Frame(ps, port, NO_OPCODE, 0, bytes.length, bytes));
        }
    }

    private Frame frame(long ps, int port, RocePacket packet) {
        int length = packet.wireBytes();
        if (buffer.length < length + SHORTEST) {
            buffer = new byte[length + SHORTEST];
        }
        int padded = Math.max(SHORTEST, length);
        int kept;
        if (packet.payload.isBytes() && packet.payload.length() == packet.payloadLength) {
            Arrays.fill(buffer, 0, padded, (byte) 0);
            encoder.encode(packet, buffer, 0);
            kept = padded;
        } else {
            kept = encoder.encodeHeaders(packet, buffer, 0);
        }
        return new Frame(ps, port, packet.opcode, packet.psn, padded, Arrays.copyOf(buffer, kept));
    }

    private void handOn(long before) {
        for (Frame f = held.peek(); f != null && f.ps() < before; f = held.peek()) {
            held.remove();
            sink.frame(f);
        }
    }

    /** Hands on all frames: after the run. */
    public void flush() {
        handOn(Long.MAX_VALUE);
    }
}

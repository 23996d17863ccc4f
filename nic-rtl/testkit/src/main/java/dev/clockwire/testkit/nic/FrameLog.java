package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.capture.PcapngWriter;
import dev.clockwire.sim.state.Token;
import dev.clockwire.testkit.SimEvent;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/** The RoCE packets on the line between two hosts, lost ones too, each once where it is sent; the last {@link #MOST} are kept. */
public final class FrameLog {
    /** Packets kept. */
    public static final int MOST = 4096;

    private static final int SHORTEST = 60;
    private static final int HEADERS = 256;
    /** Syndromes from here on say that something is wrong: receiver not ready, or a NAK. */
    private static final int NOT_ACK = 0x20;
    /** Congestion experienced. */
    private static final int MARKED = 3;

    private final Lab lab;
    private final Deque<Sent> sent = new ArrayDeque<>();
    private long count;

    private FrameLog(Lab lab) {
        this.lab = lab;
        lab.tapFrames(this::add);
    }

    /** Starts to listen. */
    public static FrameLog of(Lab lab) {
        return new FrameLog(lab);
    }

    /**
     * A packet on the line.
     *
     * @param ps when its first bit leaves
     * @param host name of the host that sends it
     * @param packet a copy
     */
    public record Sent(long ps, String host, RocePacket packet) {
        /** Returns the name of the operation, the number of a reserved opcode. */
        public String opcode() {
            Opcode known = Opcode.find(packet.opcode);
            return known == null ? "opcode 0x" + Integer.toHexString(packet.opcode) : known.name();
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s psn 0x%06x to QP 0x%06x%s%s%s%s",
                    opcode(),
                    packet.psn,
                    packet.destQp,
                    packet.payloadLength > 0 ? ", " + packet.payloadLength + " bytes" : "",
                    packet.isResponse() && packet.syndrome >= NOT_ACK
                            ? ", syndrome 0x" + Integer.toHexString(packet.syndrome)
                            : "",
                    packet.flow.ecn == MARKED ? ", marked" : "",
                    packet.icrcOk ? "" : ", bad ICRC");
        }
    }

    private void add(long ps, LinkEnd end, Token frame) {
        if (!(frame instanceof RocePacket packet)) {
            return;
        }
        count++;
        if (sent.size() == MOST) {
            sent.removeFirst();
        }
        RocePacket copy = new RocePacket();
        copy.set(packet);
        sent.addLast(new Sent(ps, end == lab.endOfA() ? lab.a().name() : lab.b().name(), copy));
    }

    /** Returns the packets kept, by the time of their first bits. */
    public List<Sent> packets() {
        return sent.stream().sorted(Comparator.comparingLong(Sent::ps)).toList();
    }

    /** Returns how many there were, those not kept included. */
    public long count() {
        return count;
    }

    /** Returns the packets kept as events of their hosts. */
    List<SimEvent> events() {
        return packets().stream()
                .map(s -> new SimEvent(s.ps, s.host, s.toString()))
                .toList();
    }

    /** Writes the packets kept as pcapng, one interface for each host; of payload without bytes the headers alone. */
    public void write(Path file, String comment) {
        FrameEncoder encoder = new FrameEncoder();
        try (PcapngWriter out = PcapngWriter.create(file, "Clockwire", comment)) {
            int a = out.addInterface(lab.a().name());
            int b = out.addInterface(lab.b().name());
            for (Sent s : packets()) {
                RocePacket p = s.packet;
                int length = Math.max(SHORTEST, p.wireBytes());
                boolean whole = p.payload.isBytes() && p.payload.length() == p.payloadLength;
                byte[] bytes = new byte[length + HEADERS];
                int kept = length;
                if (whole) {
                    encoder.encode(p, bytes, 0);
                } else {
                    kept = encoder.encodeHeaders(p, bytes, 0);
                }
                out.write(s.host.equals(lab.a().name()) ? a : b, s.ps, bytes, 0, kept, length);
            }
            out.commit();
        }
    }
}

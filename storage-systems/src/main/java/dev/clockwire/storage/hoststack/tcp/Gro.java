package dev.clockwire.storage.hoststack.tcp;

import java.util.Arrays;

/**
 * Joins received segments that follow each other, as generic receive offload does in one poll: data only, same flow and acknowledgement, numbers
 * without a gap; a shorter one and PSH end the segment. What cannot be joined passes, behind what waits.
 */
public final class Gro {
    private static final int LARGEST = 65_535;

    private final Segments to;
    private final boolean on;
    private final TcpSegment held = new TcpSegment();
    private byte[] bytes = new byte[4096];
    private boolean holds;
    private int unit;

    /** Takes segments. */
    @FunctionalInterface
    public interface Segments {
        /** A segment whose data stand in an array from its {@code dataAt} on. */
        void segment(TcpSegment headers, byte[] data);
    }

    /** Creates it; switched off it hands everything on as it comes. */
    public Gro(boolean on, Segments to) {
        this.on = on;
        this.to = to;
    }

    /** Takes a segment; returns whether it was joined to the one before. */
    public boolean add(TcpSegment in, byte[] frame) {
        boolean plain = on && in.dataBytes > 0 && (in.flags & ~(TcpSegment.ACK | TcpSegment.PSH)) == 0;
        if (plain && holds && follows(in)) {
            append(frame, in);
            if (in.dataBytes < unit || in.has(TcpSegment.PSH)) {
                flush();
            }
            return true;
        }
        flush();
        if (!plain || in.has(TcpSegment.PSH)) {
            to.segment(in, frame);
            return false;
        }
        hold(in, frame);
        return false;
    }

    private boolean follows(TcpSegment in) {
        return in.seq == held.seq + held.dataBytes
                && in.ack == held.ack
                && in.window == held.window
                && in.srcPort == held.srcPort
                && in.dstPort == held.dstPort
                && in.srcIp == held.srcIp
                && in.dataBytes <= unit
                && held.dataBytes + in.dataBytes <= LARGEST;
    }

    private void hold(TcpSegment in, byte[] frame) {
        held.srcMac = in.srcMac;
        held.dstMac = in.dstMac;
        held.srcIp = in.srcIp;
        held.dstIp = in.dstIp;
        held.srcPort = in.srcPort;
        held.dstPort = in.dstPort;
        held.seq = in.seq;
        held.ack = in.ack;
        held.flags = in.flags;
        held.window = in.window;
        held.dataAt = 0;
        held.dataBytes = 0;
        unit = in.dataBytes;
        holds = true;
        append(frame, in);
    }

    private void append(byte[] frame, TcpSegment in) {
        int need = held.dataBytes + in.dataBytes;
        if (need > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(need, 2 * bytes.length));
        }
        System.arraycopy(frame, in.dataAt, bytes, held.dataBytes, in.dataBytes);
        held.dataBytes = need;
        held.flags |= in.flags;
    }

    /** Hands on what waits, at the end of a poll. */
    public void flush() {
        if (holds) {
            holds = false;
            to.segment(held, bytes);
        }
    }
}

package dev.clockwire.roce.fabric.host;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** Which packets of a moving window have come: 4096 of them, and no memory before the first is set. */
final class SeqBits implements State {
    /** How far apart the packets may be. */
    static final int SPAN = 4096;

    private static final long[] NONE = {};

    private long[] bits = NONE;

    /** Notes a packet. */
    void set(long seq) {
        if (bits.length == 0) {
            bits = new long[SPAN / Long.SIZE];
        }
        int at = (int) (seq & (SPAN - 1));
        bits[at >> 6] |= 1L << (at & 63);
    }

    boolean has(long seq) {
        int at = (int) (seq & (SPAN - 1));
        return bits.length != 0 && (bits[at >> 6] >> (at & 63) & 1) != 0;
    }

    /** Returns which of the 64 packets before one have come, none of them before another: bit n is packet seq - 1 - n. */
    long before(long seq, long from) {
        long found = 0;
        for (int n = 0; n < Long.SIZE && seq - 1 - n >= from; n++) {
            found |= has(seq - 1 - n) ? 1L << n : 0;
        }
        return found;
    }

    /** Notes what {@link #before} returned, of packets beyond another: older places belong to newer packets by now. */
    void setBefore(long seq, long found, long beyond) {
        for (long left = found; left != 0; left &= left - 1) {
            long one = seq - 1 - Long.numberOfTrailingZeros(left);
            if (one > beyond) {
                set(one);
            }
        }
    }

    /** Forgets packets that the window has left behind. */
    void clear(long from, long to) {
        if (bits.length == 0) {
            return;
        }
        for (long seq = from; seq < to; seq++) {
            int at = (int) (seq & (SPAN - 1));
            bits[at >> 6] &= ~(1L << (at & 63));
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(bits.length);
        out.putLongs(bits);
    }

    @Override
    public void load(Snapshot in) {
        int n = in.getInt();
        bits = n == 0 ? NONE : new long[n];
        in.getLongs(bits);
    }
}

package dev.clockwire.pcie.link;

import dev.clockwire.sim.Probe;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * What left a link direction, between the moment it was decided and the moment it happened. A decision may lie ahead of the
 * simulated time, an observation may not: this holds them back, so that a run stopped anywhere has the same trace.
 */
final class Observations implements State {
    /** Kind of a packet that is sent again: no news, but bytes on the wire. */
    static final int AGAIN = 0x10;

    /** Packets that are folded together: a good part of them has left when so many are known. */
    private static final int MUCH = 96;

    private final Probe probe;
    private long[] when = new long[128];
    private long[] digest = new long[128];
    private long[] what = new long[128];
    private int first;
    private int pending;
    private long packets;
    private long payloadBytes;
    private long wireBytes;

    Observations(Probe probe) {
        this.probe = probe;
    }

    /** Notes a packet that leaves at a time not before that of the last one. */
    void add(long ps, int kind, long headerDigest, int payload, int wire) {
        if (pending == when.length) {
            grow();
        }
        int i = first + pending & when.length - 1;
        when[i] = ps;
        digest[i] = headerDigest;
        what[i] = (long) payload << 32 | (long) wire << 8 | kind;
        pending++;
    }

    /** Folds what has happened when it has become much: whoever looks settles first. */
    void tidy(long now) {
        if (pending >= MUCH) {
            settle(now);
        }
    }

    /** Folds and counts everything up to a time. */
    void settle(long now) {
        int left = pending;
        if (left == 0 || when[first] > now) {
            return;
        }
        int mask = when.length - 1;
        int i = first;
        long news = 0;
        long payload = 0;
        long wire = 0;
        while (left > 0 && when[i] <= now) {
            long w = what[i];
            probe.fold(when[i], (int) w & 0xff, digest[i]);
            news += (w & AGAIN) == 0 ? 1 : 0;
            payload += w >>> 32;
            wire += w >>> 8 & 0xff_ffff;
            i = i + 1 & mask;
            left--;
        }
        packets += news;
        payloadBytes += payload;
        wireBytes += wire;
        first = i;
        pending = left;
    }

    long packets() {
        return packets;
    }

    long payloadBytes() {
        return payloadBytes;
    }

    long wireBytes() {
        return wireBytes;
    }

    private void grow() {
        int n = when.length;
        long[] t = new long[2 * n];
        long[] d = new long[2 * n];
        long[] w = new long[2 * n];
        for (int i = 0; i < n; i++) {
            int from = first + i & n - 1;
            t[i] = when[from];
            d[i] = digest[from];
            w[i] = what[from];
        }
        when = t;
        digest = d;
        what = w;
        first = 0;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(packets);
        out.putLong(payloadBytes);
        out.putLong(wireBytes);
        out.putInt(pending);
        for (int i = 0; i < pending; i++) {
            int at = first + i & when.length - 1;
            out.putLong(when[at]);
            out.putLong(digest[at]);
            out.putLong(what[at]);
        }
    }

    @Override
    public void load(Snapshot in) {
        packets = in.getLong();
        payloadBytes = in.getLong();
        wireBytes = in.getLong();
        int n = in.getInt();
        first = 0;
        pending = 0;
        for (int i = 0; i < n; i++) {
            long t = in.getLong();
            long d = in.getLong();
            long w = in.getLong();
            add(t, (int) w & 0xff, d, (int) (w >>> 32), (int) (w >>> 8) & 0xff_ffff);
        }
    }
}

package dev.clockwire.sim.trace;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** The running digest of one observation point: (ps, kind, digest) folded in time order. */
public final class TraceHash implements State {
    private static final long PS = 0x9E3779B97F4A7C15L;
    private static final long DIGEST = 0xD1B54A32D192ED03L;

    private long hash;
    private long count;

    /** Creates the digest of nothing. */
    public TraceHash() {}

    /** Folds one observation. */
    public void fold(long ps, int kind, long digest) {
        // only the sum waits for the fold before it: a busy link folds forty times a packet
        hash = RandomStream.mix(hash + (ps * PS + digest) * DIGEST + kind);
        count++;
    }

    /** Returns the digest so far. */
    public long value() {
        return hash;
    }

    /** Returns the number of observations. */
    public long count() {
        return count;
    }

    /** Combines the digest of all points so far with the next one; points come in name order. */
    public static long combine(long all, String name, long value, long count) {
        return RandomStream.mix(all * 31 + RandomStream.hash(name) + RandomStream.mix(value + count));
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(hash);
        out.putLong(count);
    }

    @Override
    public void load(Snapshot in) {
        hash = in.getLong();
        count = in.getLong();
    }
}

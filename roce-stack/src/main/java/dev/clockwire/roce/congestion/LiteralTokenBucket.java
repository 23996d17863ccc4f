package dev.clockwire.roce.congestion;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * The token bucket of article 1 exactly as its pseudo-code reads, kept as a negative example. Three faults show: the time stamp is
 * never written after reset, so each cycle adds all credit since reset again and the limiter does not limit; with non-blocking
 * assignments the debit of a cycle replaces its refill; and a message larger than the bucket never leaves.
 */
public final class LiteralTokenBucket implements State {
    private final long perCycle;
    private final long capacity;
    private final int fractionBits;
    private final boolean nonBlocking;
    private long tokens;

    /**
     * Creates the bucket in its state after reset, full.
     *
     * @param nonBlocking the two assignments to the tokens are non-blocking: the last one wins
     */
    public LiteralTokenBucket(TokenBucketSpec spec, boolean nonBlocking) {
        perCycle = spec.perCycle();
        fractionBits = spec.fractionBits();
        capacity = spec.burstBytes() << fractionBits;
        tokens = capacity;
        this.nonBlocking = nonBlocking;
    }

    /** Evaluates one cycle: refill "since the last time stamp", then send if there are tokens. Returns whether the message left. */
    public boolean cycle(long cycle, boolean wqeValid, long bytes) {
        long before = tokens;
        boolean full = perCycle != 0 && cycle > (capacity - before) / perCycle;
        long refilled = full ? capacity : before + cycle * perCycle; // the time stamp is still that of reset: 0
        long judged = nonBlocking ? before : refilled;
        long size = bytes << fractionBits;
        boolean send = wqeValid && judged >= size;
        tokens = send ? judged - size : refilled;
        return send;
    }

    /** Returns the tokens, in bytes with binary places. */
    public long tokens() {
        return tokens;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(tokens);
    }

    @Override
    public void load(Snapshot in) {
        tokens = in.getLong();
    }
}

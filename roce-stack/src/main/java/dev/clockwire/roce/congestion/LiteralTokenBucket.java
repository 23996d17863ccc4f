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
    private long last;

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
        last = cycle;
        long before = tokens;
        long refilled = refilled(before, cycle);
        long judged = nonBlocking ? before : refilled;
        long size = bytes << fractionBits;
        boolean send = wqeValid && judged >= size;
        tokens = send ? judged - size : refilled;
        return send;
    }

    /** The time stamp is still that of reset, 0: all credit since then is added again. */
    private long refilled(long before, long cycle) {
        boolean full = perCycle != 0 && cycle > (capacity - before) / perCycle;
        return full ? capacity : before + cycle * perCycle;
    }

    /**
     * Returns the first cycle, {@code cycle} or later, in which a message would leave; {@code Long.MAX_VALUE} if there is none. Cycles
     * that were not evaluated had nothing to send.
     */
    public long eligible(long cycle, long bytes) {
        settle(cycle - 1);
        long size = bytes << fractionBits;
        long before = tokens;
        for (long c = cycle; ; c++) {
            long after = refilled(before, c);
            if ((nonBlocking ? before : after) >= size) {
                return c;
            }
            if (after == before) {
                return Long.MAX_VALUE;
            }
            before = after;
        }
    }

    /** Evaluates the cycles up to and with this one, in which nothing was to be sent. */
    public void settle(long cycle) {
        while (last < cycle && tokens < capacity && perCycle != 0) {
            tokens = refilled(tokens, ++last);
        }
        last = Math.max(last, cycle);
    }

    /** Returns the tokens, in bytes with binary places. */
    public long tokens() {
        return tokens;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(tokens);
        out.putLong(last);
    }

    @Override
    public void load(Snapshot in) {
        tokens = in.getLong();
        last = in.getLong();
    }
}

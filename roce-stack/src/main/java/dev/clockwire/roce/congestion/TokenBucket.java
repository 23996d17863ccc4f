package dev.clockwire.roce.congestion;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * A token bucket that is charged per packet and may go below zero. In each cycle a packet is judged first, then the bucket gets one
 * cycle's bytes and is cut at the burst; refills are made up when something happens, which gives the same tokens in every cycle. Looking
 * changes nothing.
 *
 * <p>A packet may leave when the bucket holds its bytes, or is full if the packet is larger than the bucket; it is charged whole. So a
 * message larger than the burst is late, never stuck.
 *
 * <p>TB_TS_REG shows the low 32 bits of the cycle of the last refill. A sweep at least every 2^31 cycles is understood, so the wrap of
 * that register loses nothing.
 */
public final class TokenBucket implements State {
    private final int fractionBits;
    private long perCycle;
    private long capacity;
    private long tokens;
    private long last;

    /** Creates a full bucket at cycle 0. */
    public TokenBucket(TokenBucketSpec spec) {
        fractionBits = spec.fractionBits();
        perCycle = spec.perCycle();
        capacity = spec.burstBytes() << fractionBits;
        tokens = capacity;
    }

    /** Whether the rate register holds 0. */
    public boolean unlimited() {
        return perCycle == 0;
    }

    /** Returns the first cycle, {@code cycle} or later, in which a packet of these bytes may leave if nothing else does before. */
    public long eligible(long cycle, long bytes) {
        long missing = need(bytes) - tokens(cycle);
        if (perCycle == 0 || missing <= 0) {
            return cycle;
        }
        return cycle + (missing + perCycle - 1) / perCycle;
    }

    /** Charges a packet if it may leave in this cycle; an unlimited bucket is not charged. */
    public boolean take(long cycle, long bytes) {
        if (eligible(cycle, bytes) != cycle) {
            return false;
        }
        settle(cycle);
        tokens -= perCycle == 0 ? 0 : bytes << fractionBits;
        return true;
    }

    /** Charges a packet that was let through before; an unlimited bucket is not charged. */
    public void charge(long cycle, long bytes) {
        settle(cycle);
        tokens -= perCycle == 0 ? 0 : bytes << fractionBits;
    }

    /** Changes the rate, in bytes a cycle with binary places: cycles before this one were filled at the old rate. */
    public void rate(long cycle, long bytesPerCycle) {
        TokenBucketSpec.range("rate of a token bucket", bytesPerCycle, 0, 0xFFFF_FFFF_FFFFL);
        settle(cycle);
        perCycle = bytesPerCycle;
    }

    /** Changes the size of the bucket; what is above it is lost, and one without a rate is full. */
    public void burst(long cycle, long bytes) {
        TokenBucketSpec.range("burst of a token bucket", bytes, 1, TokenBucketSpec.MAX_BURST);
        settle(cycle);
        capacity = bytes << fractionBits;
        tokens = perCycle == 0 ? capacity : Math.min(tokens, capacity);
    }

    /** Returns the tokens at the start of a cycle, in bytes with binary places; negative after a packet larger than the bucket. */
    public long tokens(long cycle) {
        long elapsed = cycle - last;
        if (elapsed < 0) {
            throw new InvariantViolation("token bucket asked for cycle " + cycle + " after cycle " + last);
        }
        // the product may overflow; beyond this many cycles the bucket is full anyway
        boolean full = perCycle != 0 && elapsed > (capacity - tokens) / perCycle;
        return full ? capacity : tokens + elapsed * perCycle;
    }

    /** Returns the rate in bytes a cycle with binary places. */
    public long rate() {
        return perCycle;
    }

    /** Returns TB_TS_REG. */
    public int timestamp() {
        return (int) last;
    }

    private long need(long bytes) {
        return Math.min(bytes << fractionBits, capacity);
    }

    private void settle(long cycle) {
        tokens = tokens(cycle);
        last = cycle;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(perCycle);
        out.putLong(capacity);
        out.putLong(tokens);
        out.putLong(last);
    }

    @Override
    public void load(Snapshot in) {
        perCycle = in.getLong();
        capacity = in.getLong();
        tokens = in.getLong();
        last = in.getLong();
    }
}

package dev.clockwire.sim;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.trace.Tap;
import java.util.function.LongUnaryOperator;

/** A channel of 64-bit words. See {@link Wire} for the laws. */
public final class LongChannel extends Wire {
    private final long[] ring;

    /**
     * Creates a channel without ends.
     *
     * @param capacity words that fit, 1 to 2^20; 2 gives full rate
     */
    public LongChannel(Scope scope, String name, Clock clock, int capacity) {
        super(scope, name, clock, capacity);
        ring = new long[mask + 1];
    }

    /** Names the producer. */
    public LongChannel from(SimModule m) {
        setProducer(m);
        return this;
    }

    /** Names the consumer. */
    public LongChannel to(SimModule m) {
        setConsumer(m);
        return this;
    }

    /** Stamps the time a word waits here into the journey log, if journeys are on; to be called after enabling them. */
    public LongChannel follow(int stage, int cause, LongUnaryOperator journeyOfWord) {
        stampWaits(stage, cause, journeyOfWord);
        return this;
    }

    /** Returns the oldest word; meaningful when valid. */
    public long bits() {
        return ring[read & mask];
    }

    /** Appends a word; the channel must be ready and not have been put into in this cycle. */
    public void put(long cycle, long x) {
        ring[written & mask] = x;
        countPut(cycle);
        Tap t = tap;
        if (t != null) {
            t.put(cycle, clock.edge(), x, null);
        }
    }

    /** Removes and returns the oldest word; the channel must be valid and not have been taken from in this cycle. */
    public long take(long cycle) {
        long x = ring[read & mask];
        countTake(cycle);
        Tap t = tap;
        if (t != null) {
            t.take(cycle, clock.edge(), x, null);
        }
        return x;
    }

    @Override
    public void save(Snapshot out) {
        super.save(out);
        for (int i = read; i != written; i++) {
            out.putLong(ring[i & mask]);
        }
    }

    @Override
    public void load(Snapshot in) {
        super.load(in);
        for (int i = read; i != written; i++) {
            ring[i & mask] = in.getLong();
        }
    }
}

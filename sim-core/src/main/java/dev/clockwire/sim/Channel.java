package dev.clockwire.sim;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.Tap;

/**
 * A channel of tokens. The token belongs to the producer before {@link #put} and to the consumer after {@link #take}. See {@link Wire} for the laws.
 *
 * @param <T> what it carries
 */
public final class Channel<T extends Token> extends Wire {
    private final TokenRing<T> ring;

    /**
     * Creates a channel without ends.
     *
     * @param capacity tokens that fit, 1 to 2^20; 2 gives full rate
     */
    public Channel(Scope scope, String name, Clock clock, int capacity) {
        super(scope, name, clock, capacity);
        ring = new TokenRing<>(mask + 1);
    }

    /** Names the producer. */
    public Channel<T> from(SimModule m) {
        setProducer(m);
        return this;
    }

    /** Names the consumer. */
    public Channel<T> to(SimModule m) {
        setConsumer(m);
        return this;
    }

    /** Stamps the time a followed token waits here into the journey log, if journeys are on; to be called after enabling them. */
    public Channel<T> follow(int stage, int cause) {
        stampWaits(stage, cause, journey -> journey);
        return this;
    }

    /** Returns the oldest token; only when valid. */
    public T bits() {
        return ring.get(read & mask);
    }

    /** Appends a token; the channel must be ready and not have been put into in this cycle. */
    public void put(long cycle, T x) {
        ring.set(written & mask, x);
        countPut(cycle);
        Tap t = tap;
        if (t != null) {
            t.put(cycle, clock.edge(), x.journey, x);
        }
    }

    /** Removes and returns the oldest token; the channel must be valid and not have been taken from in this cycle. */
    public T take(long cycle) {
        int slot = read & mask;
        countTake(cycle);
        T x = ring.remove(slot);
        Tap t = tap;
        if (t != null) {
            t.take(cycle, clock.edge(), x.journey, x);
        }
        return x;
    }

    @Override
    public void save(Snapshot out) {
        super.save(out);
        ring.save(out, read, written);
    }

    @Override
    public void load(Snapshot in) {
        super.load(in);
        ring.load(in, read, written);
    }
}

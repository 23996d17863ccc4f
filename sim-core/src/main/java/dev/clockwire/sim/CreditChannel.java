package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * A channel with credits in place of ready: the producer starts with one credit for each slot of the consumer's buffer, spends one with
 * each put and gets it back some cycles after the consumer took the token. A put in cycle c is visible in c + latency, a take in c
 * returns its credit in c + credit latency. One put and one take a cycle, as in a {@link Wire}; the round trip that gives full rate needs
 * latency + credit latency credits.
 *
 * @param <T> what it carries
 */
public final class CreditChannel<T extends Token> implements Link {
    private static final int MAX_LATENCY = 32;

    private final Sim sim;
    private final Clock clock;
    private final String path;
    private final int credits;
    private final int latency;
    private final int creditLatency;
    private final int mask;
    private final TokenRing<T> ring;
    private final long[] visibleAt;
    private final long[] creditAt;

    private int written;
    private int read;
    /** Credits that puts have counted as returned; {@link #credits} looks beyond, but moves nothing. */
    private int returned;

    private long putAt = -1;
    private long takeAt = -1;
    private @Nullable SimModule producer;
    private @Nullable SimModule consumer;
    private @Nullable Probe probe;

    /**
     * Creates a channel without ends.
     *
     * @param credits tokens under way or in the buffer, 1 to 2^20
     * @param latency cycles from put to valid, 1 to 32
     * @param creditLatency cycles from take to the credit's return, 1 to 32
     */
    public CreditChannel(Scope scope, String name, Clock clock, int credits, int latency, int creditLatency) {
        sim = scope.sim;
        this.clock = clock;
        path = scope.pathOf(name);
        if (credits < 1 || credits > 1 << 20) {
            throw new ConfigurationException(path, -1, "credits " + credits + " is not in 1.." + (1 << 20));
        }
        if (Math.min(latency, creditLatency) < 1 || Math.max(latency, creditLatency) > MAX_LATENCY) {
            throw new ConfigurationException(
                    path,
                    -1,
                    "latency " + latency + " or credit latency " + creditLatency + " is not in 1.." + MAX_LATENCY);
        }
        this.credits = credits;
        this.latency = latency;
        this.creditLatency = creditLatency;
        mask = Integer.highestOneBit(2 * credits - 1) - 1;
        ring = new TokenRing<>(mask + 1);
        visibleAt = new long[mask + 1];
        creditAt = new long[mask + 1];
        sim.design.name(path);
        sim.design.links.add(this);
    }

    /** Names the producer. */
    public CreditChannel<T> from(SimModule m) {
        if (producer != null) {
            throw new ConfigurationException(path, -1, "has two producers: " + producer.path() + " and " + m.path());
        }
        producer = m;
        return this;
    }

    /** Names the consumer. */
    public CreditChannel<T> to(SimModule m) {
        if (consumer != null) {
            throw new ConfigurationException(path, -1, "has two consumers: " + consumer.path() + " and " + m.path());
        }
        consumer = m;
        return this;
    }

    private int returnedBy(long cycle) {
        int n = returned;
        while (n != read && creditAt[n & mask] <= cycle) {
            n++;
        }
        return n;
    }

    /** Returns the producer's credits in this cycle. */
    public int credits(long cycle) {
        return credits - (written - returnedBy(cycle));
    }

    /** Returns whether the producer may put in this cycle. */
    public boolean ready(long cycle) {
        return credits(cycle) > 0 && putAt != cycle;
    }

    /** Returns whether the consumer sees a token in this cycle. */
    public boolean valid(long cycle) {
        return written != read && visibleAt[read & mask] <= cycle && takeAt != cycle;
    }

    /** Returns the oldest token; only when valid. */
    public T bits() {
        return ring.get(read & mask);
    }

    /** Spends a credit on a token; must be ready. */
    public void put(long cycle, T x) {
        int back = returnedBy(cycle);
        if (credits - (written - back) <= 0 || putAt == cycle) {
            throw new InvariantViolation(
                    path,
                    sim.now,
                    "put in cycle " + cycle + ": " + (putAt == cycle ? "the second in this cycle" : "no credit"));
        }
        returned = back;
        putAt = cycle;
        int slot = written++ & mask;
        ring.set(slot, x);
        visibleAt[slot] = cycle + latency;
        clock.wakeAt(end(consumer), cycle + latency);
        Probe p = probe;
        if (p != null) {
            p.fold(sim.now, 1, x.digest());
        }
    }

    /** Removes and returns the oldest token and sends its credit back; must be valid. */
    public T take(long cycle) {
        if (!valid(cycle)) {
            throw new InvariantViolation(
                    path,
                    sim.now,
                    "take in cycle " + cycle + ": "
                            + (takeAt == cycle ? "the second in this cycle" : "no token is visible"));
        }
        takeAt = cycle;
        int slot = read++ & mask;
        creditAt[slot] = cycle + creditLatency;
        clock.wakeAt(end(producer), cycle + creditLatency);
        return ring.remove(slot);
    }

    private SimModule end(@Nullable SimModule m) {
        return Ends.connected(path, "end", m, "other end", null);
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public Connection describe() {
        return Connection.of(this, end(producer).path(), end(consumer).path(), credits, latency);
    }

    @Override
    public void elaborate() {
        SimModule p = Ends.connected(path, "producer", producer, "consumer", consumer);
        SimModule c = Ends.connected(path, "consumer", consumer, "producer", producer);
        if (p.clock != clock || c.clock != clock) {
            throw Ends.crossing(path, p, c);
        }
    }

    @Override
    public void observe() {
        probe = new Probe(sim.root(), path + ".put");
    }

    @Override
    public void check() {}

    @Override
    public long moves() {
        return (long) written + read;
    }

    @Override
    public @Nullable String waiting() {
        if (written == read) {
            return null;
        }
        String full = credits(clock.cycle()) > 0 ? "" : ", and " + end(producer).path() + " waits for a credit";
        return path + " holds " + (written - read) + " of " + credits + " for "
                + end(consumer).path() + " since "
                + Ends.ns(Math.max(0, clock.edgeTime(Math.max(visibleAt[read & mask], takeAt)))) + full;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(written);
        out.putInt(read);
        out.putInt(returned);
        out.putLong(putAt);
        out.putLong(takeAt);
        ring.save(out, read, written);
        for (int i = read; i != written; i++) {
            out.putLong(visibleAt[i & mask]);
        }
        for (int i = returned; i != read; i++) {
            out.putLong(creditAt[i & mask]);
        }
    }

    @Override
    public void load(Snapshot in) {
        written = in.getInt();
        read = in.getInt();
        returned = in.getInt();
        putAt = in.getLong();
        takeAt = in.getLong();
        ring.load(in, read, written);
        for (int i = read; i != written; i++) {
            visibleAt[i & mask] = in.getLong();
            Crossing.rewake(end(consumer), visibleAt[i & mask]);
        }
        for (int i = returned; i != read; i++) {
            creditAt[i & mask] = in.getLong();
            Crossing.rewake(end(producer), creditAt[i & mask]);
        }
    }
}

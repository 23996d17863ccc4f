package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.Tap;
import dev.clockwire.sim.trace.Taps;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What {@link LongChannel} and {@link Channel} share: a valid/ready channel with one producer, one consumer and one clock, registered on both
 * sides. In cycle c the consumer sees what was put before c; the producer may put when the occupancy at the start of c is below
 * capacity, so a slot freed in c is usable in c+1. At most one put and one take a cycle. The first cycles in which the next put
 * and the next take are allowed give this without a commit phase; the cycle is an argument because the caller has it in a register.
 */
public abstract sealed class Wire implements Link permits LongChannel, Channel {
    private static final long NEVER = Long.MAX_VALUE;

    final Sim sim;
    final Clock clock;
    private final String path;
    private final int capacity;
    final int mask;

    int written;
    int read;
    /** First cycle in which a put, and a take, is allowed; {@link #NEVER} until the other side moves. */
    private long readyAt;

    private long validAt = NEVER;
    private WakeMask producerMask = new WakeMask();
    private WakeMask consumerMask = new WakeMask();
    private long producerBit;
    private long consumerBit;

    @Nullable
    Tap tap;

    private @Nullable SimModule producer;
    private @Nullable SimModule consumer;

    Wire(Scope scope, String name, Clock clock, int capacity) {
        sim = scope.sim;
        this.clock = clock;
        path = scope.pathOf(name);
        if (capacity < 1 || capacity > 1 << 20) {
            throw new ConfigurationException(path, -1, "channel capacity " + capacity + " is not in 1.." + (1 << 20));
        }
        this.capacity = capacity;
        mask = Integer.highestOneBit(2 * capacity - 1) - 1;
        sim.design.name(path);
        sim.design.links.add(this);
    }

    final void setProducer(SimModule m) {
        if (producer != null) {
            throw new ConfigurationException(path, -1, "has two producers: " + producer.path() + " and " + m.path());
        }
        producer = m;
    }

    final void setConsumer(SimModule m) {
        if (consumer != null) {
            throw new ConfigurationException(path, -1, "has two consumers: " + consumer.path() + " and " + m.path());
        }
        consumer = m;
    }

    /** Returns whether a word put before this cycle is there. */
    public final boolean valid(long cycle) {
        return cycle >= validAt;
    }

    /** Returns whether there was room at the start of this cycle. */
    public final boolean ready(long cycle) {
        return cycle >= readyAt;
    }

    final void countPut(long cycle) {
        if (cycle < readyAt) {
            throw broken("put", cycle, occupancy() < capacity ? "the second in this cycle" : "the channel is full");
        }
        int w = written + 1;
        written = w;
        readyAt = w - read < capacity ? cycle + 1 : NEVER;
        validAt = Math.min(validAt, cycle + 1);
        consumerMask.bits |= consumerBit;
    }

    final void countTake(long cycle) {
        if (cycle < validAt) {
            throw broken("take", cycle, "the second in this cycle, or no word is visible");
        }
        int r = read + 1;
        read = r;
        validAt = r != written ? cycle + 1 : NEVER;
        if (readyAt == NEVER) { // nobody waits for room in a channel that has some
            readyAt = cycle + 1;
            producerMask.bits |= producerBit;
        }
    }

    private InvariantViolation broken(String what, long cycle, String why) {
        return new InvariantViolation(path, sim.now, what + " in cycle " + cycle + ": " + why);
    }

    /** Returns the number of words inside, put in this cycle or not. */
    public final int occupancy() {
        return written - read;
    }

    /** Returns the number of words that fit. */
    public final int capacity() {
        return capacity;
    }

    /** Returns the clock of both ends. */
    public final Clock clock() {
        return clock;
    }

    @Override
    public final String path() {
        return path;
    }

    @Override
    public final Connection describe() {
        String from =
                Ends.connected(path, "producer", producer, "consumer", consumer).path();
        String to =
                Ends.connected(path, "consumer", consumer, "producer", producer).path();
        return Connection.of(this, from, to, capacity, 1);
    }

    /** Adds an observer, called after each put and take. */
    public final void tap(Tap t) {
        tap = Taps.both(tap, t);
    }

    @Override
    public final void elaborate() {
        SimModule p = Ends.connected(path, "producer", producer, "consumer", consumer);
        SimModule c = Ends.connected(path, "consumer", consumer, "producer", producer);
        if (p.clock != clock || c.clock != clock) {
            throw Ends.crossing(path, p, c);
        }
        producerMask = clock.next[p.index >> 6];
        producerBit = 1L << p.index;
        consumerMask = clock.next[c.index >> 6];
        consumerBit = 1L << c.index;
    }

    @Override
    public final void observe() {
        Probe in = new Probe(sim.root(), path + ".put");
        Probe out = new Probe(sim.root(), path + ".take");
        tap(new Tap() {
            @Override
            public void put(long cycle, long ps, long bits, @Nullable Token token) {
                in.fold(ps, 1, token == null ? bits : token.digest());
            }

            @Override
            public void take(long cycle, long ps, long bits, @Nullable Token token) {
                out.fold(ps, 2, token == null ? bits : token.digest());
            }
        });
    }

    @Override
    public final void check() {
        tap(new Tap() {
            @Override
            public void put(long cycle, long ps, long bits, @Nullable Token token) {
                compare("put", cycle);
            }

            @Override
            public void take(long cycle, long ps, long bits, @Nullable Token token) {
                compare("take", cycle);
            }
        });
    }

    private void compare(String what, long cycle) {
        if (cycle != clock.cycle()) {
            throw broken(what, cycle, "the clock is in cycle " + clock.cycle());
        }
    }

    /** Adds the tap that stamps waiting times, if journeys are on. */
    final void stampWaits(int stage, int cause, LongUnaryOperator journeyOf) {
        JourneyLog log = sim.journeys;
        if (log != null) {
            tap(new JourneyTap(log, stage, cause, journeyOf, mask + 1));
        }
    }

    @Override
    public final long moves() {
        return (long) written + read;
    }

    @Override
    public final @Nullable String waiting() {
        if (written == read || producer == null || consumer == null) {
            return null;
        }
        String since = " since " + Ends.ns(clock.edgeTime(validAt));
        String full = written - read >= capacity ? ", and is full: " + producer.path() + " waits for room" : "";
        return path + " holds " + (written - read) + " of " + capacity + " for " + consumer.path() + since + full;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(written);
        out.putInt(read);
        out.putLong(readyAt);
        out.putLong(validAt);
    }

    @Override
    public void load(Snapshot in) {
        written = in.getInt();
        read = in.getInt();
        readyAt = in.getLong();
        validAt = in.getLong();
    }
}

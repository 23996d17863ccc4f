package dev.clockwire.nic.cache;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.ArrayList;
import java.util.List;

/**
 * The lookup of contexts of one kind where the chip holds only some of them, by number. A miss reads the context from host memory. Each lane keeps its
 * order, so one that misses holds those behind it, but they look up and miss while it waits; two that miss the same context share one read.
 * The cache takes as many lookups a cycle as it has ports, from the lanes in turn.
 */
abstract class ContextLookup extends SimModule {
    private static final int SYNC = 1;
    private static final int WINDOW = 64;

    private final List<ContextLane<?>> lanes = new ArrayList<>();
    private final EventPort reads;
    private final Inlet<DmaRead> replies;
    final DeviceParts parts;
    private final CacheSpec spec;
    private final int ports;
    private final int flow;
    private final Shared s;

    /** What the lanes share. */
    private static final class Shared implements State {
        final SetCache cache;
        final MissTable misses;
        int turn;
        long conflicts;
        long readErrors;
        /** The last cycle in which a miss ended after as many had been under way as may be. */
        long freed = -1;

        Shared(SetCache cache, int reads) {
            this.cache = cache;
            misses = new MissTable(reads);
        }

        @Override
        public void save(Snapshot out) {
            cache.save(out);
            misses.save(out);
            out.putInt(turn);
            out.putLong(conflicts);
            out.putLong(readErrors);
            out.putLong(freed);
        }

        @Override
        public void load(Snapshot in) {
            cache.load(in);
            misses.load(in);
            turn = in.getInt();
            conflicts = in.getLong();
            readErrors = in.getLong();
            freed = in.getLong();
        }
    }

    /**
     * Creates the lookup without lanes; they follow.
     *
     * @param ports lookups a cycle
     * @param reads the endpoint's port for contexts
     * @param flow of those reads
     */
    ContextLookup(
            Scope parent,
            String name,
            Clock clock,
            CacheSpec spec,
            int ports,
            EventPort reads,
            int flow,
            DeviceParts parts) {
        super(parent, name, clock);
        this.spec = spec;
        this.ports = ports;
        this.reads = reads;
        this.flow = flow;
        this.parts = parts;
        replies = new Inlet<>(this, "replies", spec.misses(), SYNC);
        s = state(new Shared(new SetCache(spec, spec.random() ? random("replacement") : null), spec.misses()));
        StatRegistry stats = sim().stats();
        stats.reading(path() + ".hits", "", "lookups that found the context on the chip", s.cache::hits);
        stats.reading(path() + ".misses", "", "lookups that had to ask host memory", s.cache::misses);
        stats.reading(path() + ".evictions", "", "contexts that made room for others", s.cache::evictions);
        stats.reading(path() + ".port_conflicts", "", "lookups that waited a cycle for a port", () -> s.conflicts);
        stats.reading(path() + ".read_errors", "", "contexts that could not be read", () -> s.readErrors);
    }

    /** Returns where a context lies in host memory. */
    abstract long address(int number);

    /** A context cannot be read. */
    abstract void unread(int number);

    /** The same, when all that waited for it have been told; {@code ends} if one of them ends with an error. */
    abstract void unread(int number, boolean ends);

    /** Adds a lane. */
    final void add(ContextLane<?> lane) {
        lanes.add(state(lane));
    }

    /** Records how long something waited for contexts in a stage. */
    final void missed(long journey, int stage, int cause, long from, long to) {
        parts.journal().delayedIn(stage, journey, cause, clock().edgeTime(from), clock().edgeTime(to));
    }

    /** Returns how many a lane holds whose hits take so many cycles. */
    final int capacity(int cycles) {
        return cycles + 2 + spec.misses();
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = false;
        if (replies.valid(cycle)) {
            arrived(replies.take(cycle), cycle);
            did = true;
        }
        did |= accept(cycle);
        for (ContextLane<?> lane : lanes) {
            long due = lane.nextDue();
            if (due == Long.MAX_VALUE) {
                continue;
            }
            if (due > cycle) {
                wakeAt(due);
            } else if (lane.out.ready(cycle)) {
                lane.leave(cycle);
                did = true;
            }
        }
        return did;
    }

    private void arrived(DmaRead reply, long cycle) {
        int number = (int) reply.cookie;
        boolean failed = reply.error != DmaError.NONE;
        if (failed) {
            s.readErrors++;
            unread(number);
        } else {
            s.cache.fill(number);
        }
        s.freed = s.misses.free() == 0 ? cycle : s.freed;
        s.misses.end(reply, number);
        boolean ends = false;
        for (ContextLane<?> lane : lanes) {
            ends |= lane.arrived(number, cycle, failed);
        }
        if (failed) {
            unread(number, ends);
        }
    }

    private boolean accept(long cycle) {
        int left = ports;
        int first = s.turn;
        int refused = 0;
        for (int i = 0; i < lanes.size(); i++) {
            int at = first + i < lanes.size() ? first + i : first + i - lanes.size();
            ContextLane<?> lane = lanes.get(at);
            if (!lane.offers(cycle) || !mayLookUp(lane.offered())) {
                continue;
            }
            if (left == 0) {
                refused++;
                continue;
            }
            left--;
            s.turn = at + 1 == lanes.size() ? 0 : at + 1;
            lookUp(lane, cycle);
        }
        s.conflicts += refused;
        return left < ports;
    }

    private boolean mayLookUp(int number) {
        return s.misses.free() > 0 || s.cache.holds(number) || s.misses.pending(number);
    }

    private void lookUp(ContextLane<?> lane, long cycle) {
        int number = lane.offered();
        boolean hit = s.cache.touch(number);
        lane.accept(cycle, !hit, s.freed);
        if (!hit && !s.misses.pending(number)) {
            DmaRead read = s.misses.begin(number);
            read.address = address(number);
            read.length = spec.entryBytes();
            read.cookie = number;
            read.flow = flow;
            read.window = WINDOW;
            read.reply = replies;
            reads.send(now() + 1, 0, 0, 0, read);
        }
    }
}

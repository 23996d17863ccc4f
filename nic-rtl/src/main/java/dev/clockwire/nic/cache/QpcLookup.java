package dev.clockwire.nic.cache;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
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
import java.util.Objects;

/**
 * The QP context lookup where the chip holds only some contexts: of WQEs, and of received packets if they share the cache. A hit takes
 * the lookup's cycles; a miss reads the context from host memory first. Each lane keeps its order, so one that misses holds those behind
 * it, but they look up and miss while it waits; two that miss the same context share one read. The cache takes as many lookups a cycle
 * as it has ports, from the lanes in turn. The first WQE that waits for a context
 * that cannot be read ends with an error; if only packets wait, the queue pair fails at once. Where all contexts are on the chip this block is not built.
 */
public final class QpcLookup extends SimModule {
    private static final int SYNC = 1;
    private static final int FLOW = 0xFFFC;
    private static final int WINDOW = 64;

    private final List<ContextLane<?>> lanes = new ArrayList<>();
    private final EventPort reads;
    private final Inlet<DmaRead> replies;
    private final DeviceParts parts;
    private final CacheSpec spec;
    private final int ports;
    private final Shared s;

    /** What the lanes share. */
    private static final class Shared implements State {
        final SetCache cache;
        final MissTable misses;
        int turn;
        long conflicts;
        long readErrors;

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
        }

        @Override
        public void load(Snapshot in) {
            cache.load(in);
            misses.load(in);
            turn = in.getInt();
            conflicts = in.getLong();
            readErrors = in.getLong();
        }
    }

    /**
     * Creates the lookup without lanes; they follow.
     *
     * @param ports lookups a cycle
     * @param reads the endpoint's port for contexts
     */
    public QpcLookup(Scope parent, Clock clock, CacheSpec spec, int ports, EventPort reads, DeviceParts parts) {
        super(parent, "qpcLookup", clock);
        this.spec = spec;
        this.ports = ports;
        this.reads = reads;
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

    /**
     * Adds the lane of WQEs.
     *
     * @param cycles of a hit, at least 1
     * @param last whether no other lookup follows
     */
    public void wqes(Channel<Wqe> in, Channel<Wqe> out, int cycles, boolean last) {
        Journal journal = parts.journal();
        lanes.add(state(new ContextLane<>(in.to(this), out.from(this), cycles, capacity(cycles)) {
            @Override
            int qpnOf(Wqe wqe) {
                return wqe.qpn;
            }

            @Override
            boolean unread(Wqe wqe) {
                wqe.unread = true;
                return true;
            }

            @Override
            void left(Wqe wqe, long entered, long came, long cycle) {
                if (came > entered) {
                    journal.stamp(wqe.journey, journal.qpcFetch, 0, clock().edgeTime(entered), clock().edgeTime(came));
                    missed(wqe.journey, entered, came);
                }
                if (last) {
                    journal.stamp(wqe.journey, journal.lookup, 0, clock().edgeTime(came), clock().edgeTime(cycle + 1));
                }
            }
        }));
    }

    /** Adds a lane of received packets. */
    public void packets(Channel<RocePacket> in, Channel<RocePacket> out, int cycles) {
        lanes.add(state(new ContextLane<>(in.to(this), out.from(this), cycles, capacity(cycles)) {
            @Override
            int qpnOf(RocePacket packet) {
                return packet.destQp;
            }

            @Override
            void left(RocePacket packet, long entered, long came, long cycle) {
                if (came > entered) {
                    missed(packet.journey, entered, came);
                }
            }
        }));
    }

    private void missed(long journey, long entered, long came) {
        parts.journal()
                .delayed(journey, parts.journal().causes.qpcMiss, clock().edgeTime(entered), clock().edgeTime(came));
    }

    private int capacity(int cycles) {
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
        int qpn = (int) reply.cookie;
        boolean failed = reply.error != DmaError.NONE;
        if (failed) {
            s.readErrors++;
            parts.control().happened(Eqe.WQ_CATAS, qpn);
        } else {
            s.cache.fill(qpn);
        }
        s.misses.end(reply, qpn);
        boolean ends = false;
        for (ContextLane<?> lane : lanes) {
            ends |= lane.arrived(qpn, cycle, failed);
        }
        if (failed && !ends) {
            parts.control().qpFailed(Objects.requireNonNull(parts.table().qp(qpn)));
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

    private boolean mayLookUp(int qpn) {
        return s.misses.free() > 0 || s.cache.holds(qpn) || s.misses.pending(qpn);
    }

    private void lookUp(ContextLane<?> lane, long cycle) {
        int qpn = lane.offered();
        boolean hit = s.cache.touch(qpn);
        lane.accept(cycle, !hit);
        if (!hit && !s.misses.pending(qpn)) {
            DmaRead read = s.misses.begin(qpn);
            read.address = Objects.requireNonNull(parts.table().qp(qpn)).contextAddress;
            read.length = spec.entryBytes();
            read.cookie = qpn;
            read.flow = FLOW;
            read.window = WINDOW;
            read.reply = replies;
            reads.send(now() + 1, 0, 0, 0, read);
        }
    }
}

package dev.clockwire.nic.cache;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import java.util.Objects;

/**
 * The QP context lookup where the chip holds only some contexts: of WQEs, and of received packets if they share the cache. A hit takes
 * the lookup's cycles; a miss reads the context from host memory first. Each lane keeps its order, so one that misses holds those behind
 * it, but they look up and miss while it waits; two that miss the same context share one read. The cache takes as many lookups a cycle
 * as it has ports, from the lanes in turn. The first WQE that waits for a context
 * that cannot be read ends with an error; if only packets wait, the queue pair fails at once. Where all contexts are on the chip this block is not built.
 */
public final class QpcLookup extends ContextLookup {
    private static final int FLOW = 0xFFFC;

    /**
     * Creates the lookup without lanes; they follow.
     *
     * @param ports lookups a cycle
     * @param reads the endpoint's port for contexts
     */
    public QpcLookup(Scope parent, Clock clock, CacheSpec spec, int ports, EventPort reads, DeviceParts parts) {
        super(parent, "qpcLookup", clock, spec, ports, reads, FLOW, parts);
    }

    /**
     * Adds the lane of WQEs.
     *
     * @param cycles of a hit, at least 1
     * @param last whether no other lookup follows
     */
    public void wqes(Channel<Wqe> in, Channel<Wqe> out, int cycles, boolean last) {
        Journal journal = parts.journal();
        add(new ContextLane<>(in.to(this), out.from(this), cycles, capacity(cycles)) {
            @Override
            int numberOf(Wqe wqe) {
                return wqe.qpn;
            }

            @Override
            boolean unread(Wqe wqe) {
                wqe.unread = true;
                return true;
            }

            @Override
            void held(Wqe wqe, long from, long to) {
                missed(wqe.journey, journal.qpcFetch, journal.causes.qpcMiss, from, to);
                missed(wqe.journey, journal.lookup, journal.causes.qpcMiss, from, to);
            }

            @Override
            void left(Wqe wqe, long entered, long came, long cycle) {
                if (came > entered) {
                    journal.stamp(wqe.journey, journal.qpcFetch, 0, clock().edgeTime(entered), clock().edgeTime(came));
                }
                if (last) {
                    journal.stamp(wqe.journey, journal.lookup, 0, clock().edgeTime(came), clock().edgeTime(cycle + 1));
                }
            }
        });
    }

    /** Adds a lane of received packets. */
    public void packets(Channel<RocePacket> in, Channel<RocePacket> out, int cycles) {
        add(new ContextLane<>(in.to(this), out.from(this), cycles, capacity(cycles)) {
            @Override
            int numberOf(RocePacket packet) {
                return packet.destQp;
            }

            @Override
            void held(RocePacket packet, long from, long to) {
                Journal journal = parts.journal();
                long since = clock().edgeTime(from);
                journal.delayedBehindReceiver(packet, journal.causes.qpcMiss, since, clock().edgeTime(to));
            }

            @Override
            void left(RocePacket packet, long entered, long came, long cycle) {}
        });
    }

    @Override
    long address(int number) {
        return Objects.requireNonNull(parts.table().qp(number)).contextAddress;
    }

    @Override
    void unread(int number) {
        parts.control().happened(Eqe.WQ_CATAS, number);
    }

    @Override
    void unread(int number, boolean ends) {
        if (!ends) {
            parts.control().qpFailed(Objects.requireNonNull(parts.table().qp(number)));
        }
    }
}

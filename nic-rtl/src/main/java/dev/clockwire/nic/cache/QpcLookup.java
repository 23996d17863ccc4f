package dev.clockwire.nic.cache;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.Objects;

/**
 * The QP context lookup of WQEs where the chip holds only some contexts. A hit takes the lookup's cycles; a miss reads the context from
 * host memory first. WQEs keep their order, so one that misses holds those behind it, but they look up and miss while it waits; two that
 * miss the same context share one read. Where all contexts are on the chip this block is not built.
 */
public final class QpcLookup extends SimModule {
    private static final int SYNC = 1;
    private static final int FLOW = 0xFFFC;
    private static final int WINDOW = 64;

    private final Channel<Wqe> in;
    private final Channel<Wqe> out;
    private final EventPort reads;
    private final Inlet<DmaRead> replies;
    private final DeviceParts parts;
    private final CacheSpec spec;
    private final int cycles;
    private final boolean last;
    private final QpcLookupState s;

    /**
     * Creates the lookup.
     *
     * @param cycles of a hit, at least 1
     * @param last whether no other lookup follows
     * @param reads the endpoint's port for contexts
     */
    public QpcLookup(
            Scope parent,
            Clock clock,
            Channel<Wqe> in,
            Channel<Wqe> out,
            CacheSpec spec,
            int cycles,
            boolean last,
            EventPort reads,
            DeviceParts parts) {
        super(parent, "qpcLookup", clock);
        this.in = in.to(this);
        this.out = out.from(this);
        this.spec = spec;
        this.cycles = cycles;
        this.last = last;
        this.reads = reads;
        this.parts = parts;
        replies = new Inlet<>(this, "replies", spec.misses(), SYNC);
        s = state(new QpcLookupState(spec, cycles + 2 + spec.misses()));
        StatRegistry stats = sim().stats();
        stats.reading(path() + ".hits", "", "lookups that found the context on the chip", s.cache::hits);
        stats.reading(path() + ".misses", "", "lookups that had to ask host memory", s.cache::misses);
        stats.reading(path() + ".evictions", "", "contexts that made room for others", s.cache::evictions);
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = false;
        if (replies.valid(cycle)) {
            DmaRead reply = replies.take(cycle);
            s.arrived(reply, cycle);
            did = true;
        }
        did |= accept(cycle);
        if (s.size() == 0 || s.headWaits()) {
            return did;
        }
        if (s.headDue() > cycle) {
            wakeAt(s.headDue());
        } else if (out.ready(cycle)) {
            leave(cycle);
            did = true;
        }
        return did;
    }

    private boolean accept(long cycle) {
        if (!in.valid(cycle) || s.full()) {
            return false;
        }
        int qpn = in.bits().qpn;
        boolean there = s.cache.holds(qpn);
        boolean onItsWay = s.pending(qpn);
        if (!there && !onItsWay && !s.mayRead()) {
            return false;
        }
        Wqe wqe = in.take(cycle);
        s.cache.touch(qpn);
        s.add(wqe, cycle, cycle + cycles - 1, !there);
        if (!there && !onItsWay) {
            read(qpn);
        }
        return true;
    }

    private void read(int qpn) {
        DmaRead read = s.takeRead();
        read.address = Objects.requireNonNull(parts.table().qp(qpn)).contextAddress;
        read.length = spec.entryBytes();
        read.into.clear();
        read.cookie = qpn;
        read.flow = FLOW;
        read.window = WINDOW;
        read.reply = replies;
        reads.send(now() + 1, 0, 0, 0, read);
    }

    private void leave(long cycle) {
        long entered = s.headEntered();
        long came = s.headCame();
        Wqe wqe = s.remove();
        Journal journal = parts.journal();
        if (came > entered) {
            journal.stamp(wqe.journey, journal.qpcFetch, 0, clock().edgeTime(entered), clock().edgeTime(came));
        }
        if (last) {
            journal.stamp(wqe.journey, journal.lookup, 0, clock().edgeTime(came), clock().edgeTime(cycle + 1));
        }
        out.put(cycle, wqe);
    }
}

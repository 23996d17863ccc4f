package dev.clockwire.nic.complete;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.CqContext;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Probe;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import java.util.Objects;

/**
 * Writes CQEs: one a cycle, the send side's and the receive side's in turn. A CQE is a posted write behind the payload
 * writes of the same engine, so who sees the CQE sees the payload.
 */
public final class CqWriter extends SimModule {
    private static final int WRITES = 1 << 14;

    private final Channel<Completion> sends;
    private final Channel<Completion> receives;
    private final EventPort writes;
    private final DeviceParts parts;
    private final Inlet<DmaWrite> written;
    private final Probe probe;
    private final byte[] bytes = new byte[Cqe.BYTES];
    private final CqState s = state(new CqState());

    /**
     * Creates the unit.
     *
     * @param sends from the send engine
     * @param receives from the responder
     * @param writes the endpoint's port for CQE writes
     */
    public CqWriter(
            Scope parent,
            Clock clock,
            Channel<Completion> sends,
            Channel<Completion> receives,
            EventPort writes,
            DeviceParts parts) {
        super(parent, "cqWriter", clock);
        this.sends = sends.to(this);
        this.receives = receives.to(this);
        this.writes = writes;
        this.parts = parts;
        written = new Inlet<>(this, "written", WRITES, 1);
        probe = new Probe(this, "cq");
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = false;
        while (written.valid(cycle)) {
            parts.writes().give(written.take(cycle));
            did = true;
        }
        boolean receive = receives.valid(cycle) && (s.receiveTurn || !sends.valid(cycle));
        if (!receive && !sends.valid(cycle)) {
            return did;
        }
        s.receiveTurn = !receive;
        write((receive ? receives : sends).take(cycle), receive);
        return true;
    }

    private void write(Completion c, boolean receive) {
        Journal journal = parts.journal();
        CqContext cq = Objects.requireNonNull(parts.table().cq(c.cqn));
        long index = s.next(c.cqn);
        boolean owner = (index >>> cq.logEntries() & 1) != 0;
        Cqe.write(bytes, c.opcode, c.wqeOpcode, c.qpn, c.srcQp, c.wqeCounter, c.byteCount, c.imm, c.syndrome, owner);
        long leaves = clock().edgeTime(clock().cycle() + parts.spec().completionCycles() - 1) + 1;
        DmaWrite w = parts.writes().take();
        w.address = cq.base() + (index & cq.entries() - 1) * Cqe.BYTES;
        w.data.clear();
        w.data.appendBytes(bytes, 0, Cqe.BYTES);
        w.length = Cqe.BYTES;
        w.journey = c.journey;
        w.stage = c.journey == 0 ? 0 : receive ? journal.recvCqeWrite : journal.cqeWrite;
        w.done = written;
        probe.fold(now(), c.opcode, (long) c.cqn << 48 ^ (long) c.qpn << 24 ^ (long) c.wqeCounter << 8 ^ c.syndrome);
        int stage = receive ? journal.recvCompletion : journal.completion;
        journal.stamp(c.journey, stage, 0, now(), leaves);
        writes.send(leaves, 0, 0, 0, w);
        parts.completions().give(c);
    }
}

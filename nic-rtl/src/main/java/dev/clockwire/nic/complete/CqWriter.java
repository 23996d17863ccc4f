package dev.clockwire.nic.complete;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.CqContext;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.pcie.endpoint.DmaRead;
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
 * writes of the same engine, so who sees the CQE sees the payload. How much the driver has consumed stands in a record in host
 * memory, which is read when a queue seems half full; a queue that is full then breaks, and with it its queue pairs.
 */
public final class CqWriter extends SimModule {
    private static final int WRITES = 1 << 14;
    private static final int RECORD_BYTES = 4;
    private static final int FLOW = 0xFFFD;
    private static final int NOBODY = -1;

    private final Channel<Completion> sends;
    private final Channel<Completion> receives;
    private final EventPort reads;
    private final Inlet<DmaRead> replies;
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
     * @param reads the endpoint's port for consumer counters
     * @param writes the endpoint's port for CQE writes
     */
    public CqWriter(
            Scope parent,
            Clock clock,
            Channel<Completion> sends,
            Channel<Completion> receives,
            EventPort reads,
            EventPort writes,
            DeviceParts parts) {
        super(parent, "cqWriter", clock);
        this.sends = sends.to(this);
        this.receives = receives.to(this);
        this.reads = reads;
        this.writes = writes;
        this.parts = parts;
        written = new Inlet<>(this, "written", WRITES, 1);
        replies = new Inlet<>(this, "replies", 1, 1);
        probe = new Probe(this, "cq");
    }

    /** Returns completions that were lost because their queue had overflowed. */
    public long lost() {
        return s.lost;
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = false;
        while (written.valid(cycle)) {
            parts.writes().give(written.take(cycle));
            did = true;
        }
        if (replies.valid(cycle)) {
            recordRead(replies.take(cycle));
            did = true;
        }
        boolean receive = receives.valid(cycle) && (s.receiveTurn || !sends.valid(cycle));
        if (!receive && !sends.valid(cycle)) {
            return did;
        }
        Channel<Completion> from = receive ? receives : sends;
        Completion c = from.bits();
        CqContext cq = Objects.requireNonNull(parts.table().cq(c.cqn));
        if (parts.table().isBroken(c.cqn)) {
            s.lost++;
            parts.completions().give(from.take(cycle));
            return true;
        }
        long used = s.used(c.cqn);
        if (used == cq.entries()) {
            return full(cq, from, cycle) || did;
        }
        if (s.asked == c.cqn) {
            s.asked = NOBODY;
        }
        if (used > 0 && used >= cq.entries() / 2 && !s.reading) {
            readRecord(cq);
        }
        s.receiveTurn = !receive;
        write(from.take(cycle), cq, receive);
        return true;
    }

    /** There is no room as far as is known: asks the record, and if that says the same, breaks the queue. */
    private boolean full(CqContext cq, Channel<Completion> from, long cycle) {
        if (s.reading) {
            return false;
        }
        if (s.asked == cq.cqn()) {
            s.asked = NOBODY;
            s.lost++;
            parts.completions().give(from.take(cycle));
            parts.control().cqFailed(cq.cqn());
        } else {
            s.asked = cq.cqn();
            readRecord(cq);
        }
        return true;
    }

    private void readRecord(CqContext cq) {
        s.reading = true;
        DmaRead r = s.record;
        r.address = cq.recordAddress();
        r.length = RECORD_BYTES;
        r.into.clear();
        r.cookie = cq.cqn();
        r.flow = FLOW;
        r.window = 1;
        r.reply = replies;
        reads.send(now() + 1, 0, 0, 0, r);
    }

    private void recordRead(DmaRead reply) {
        s.record = reply;
        s.reading = false;
        int counter = 0;
        for (int i = 1; i < RECORD_BYTES; i++) {
            counter = (counter << 8) | (reply.into.byteAt(i) & 0xFF);
        }
        s.consumed((int) reply.cookie, counter);
    }

    private void write(Completion c, CqContext cq, boolean receive) {
        Journal journal = parts.journal();
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

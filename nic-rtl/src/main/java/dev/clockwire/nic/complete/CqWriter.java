package dev.clockwire.nic.complete;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.CqContext;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.doorbell.ArmWord;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Probe;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Token;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes CQEs: one a cycle, the send side's and the receive side's in turn. A CQE is a posted write behind the payload
 * writes of the same engine, so who sees the CQE sees the payload. How much the driver has consumed stands in a record in host
 * memory, which is read when a queue seems half full; a queue that is full then breaks, and with it its queue pairs.
 */
public final class CqWriter extends SimModule {
    /** Event of {@link #events}: something for the event queue; a = type of the entry, b = number. */
    public static final int HAPPENED = 0;

    /** Event of {@link #events}: like {@link #HAPPENED}, and the entry is written behind all completions that came before. */
    public static final int BEHIND = 2;

    private static final int PERIOD_OVER = 1;
    private static final long US = 1_000_000;
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
    private final LongChannel arms;
    private final EventPort events;
    private final EventWriter eventWriter;
    private final byte[] bytes = new byte[Cqe.BYTES];
    private final CqState s = state(new CqState());

    /**
     * Creates the unit.
     *
     * @param sends from the send engine
     * @param receives from the responder
     * @param arms from the doorbell block: {@link ArmWord}s
     * @param reads the endpoint's port for consumer counters
     * @param writes the endpoint's port for CQE writes
     */
    public CqWriter(
            Scope parent,
            Clock clock,
            Channel<Completion> sends,
            Channel<Completion> receives,
            LongChannel arms,
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
        this.arms = arms.to(this);
        eventWriter = new EventWriter(writes, written, parts, s);
        events = new EventPort(this, "events") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (kind == HAPPENED) {
                    eventWriter.write((int) a, (int) b, now() + 1);
                } else if (kind == BEHIND) {
                    eventWriter.write((int) a, (int) b, now() + completionPs());
                } else if (s.isArmed((int) a) && s.fired((int) a) == b) {
                    fire((int) a, now() + 1);
                }
            }
        };
    }

    /** Returns the port that takes what programs want to know: kind {@link #HAPPENED}. */
    public EventPort events() {
        return events;
    }

    /** Returns the longest time from taking a completion until its entry leaves, rounded up. */
    private long completionPs() {
        return parts.spec().completionCycles() * US / parts.spec().coreMhz() + 2;
    }

    /** Returns how many entries of a queue were written so far; for the driver's commands, which run before any block of an instant. */
    public long produced(int cqn) {
        return s.produced(cqn);
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
        if (arms.valid(cycle)) {
            arm(arms.take(cycle));
            did = true;
        }
        boolean receive = receives.valid(cycle) && (s.receiveTurn || !sends.valid(cycle));
        if (!receive && !sends.valid(cycle)) {
            return did;
        }
        Channel<Completion> from = receive ? receives : sends;
        Completion c = from.bits();
        if (c.opcode == Completion.END) {
            s.receiveTurn = !receive;
            parts.control().emptied(Objects.requireNonNull(parts.table().qp(c.qpn)));
            parts.completions().give(from.take(cycle));
            return true;
        }
        CqContext cq = Objects.requireNonNull(parts.table().cq(c.cqn));
        if (parts.table().isBroken(c.cqn)) {
            s.lost++;
            parts.completions().give(from.take(cycle));
            return true;
        }
        long used = s.used(c.cqn);
        if (used >= cq.entries()) {
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

    private void arm(long word) {
        int cqn = ArmWord.cqn(word);
        if (parts.table().cq(cqn) != null) {
            int how = ArmWord.solicitedOnly(word) ? CqState.SOLICITED : CqState.ANY;
            if (s.arm(cqn, how, ArmWord.seen(word))) {
                due(cqn, now() + 1);
            }
        }
    }

    /** A completion counts for the event of an armed queue: it goes out now, or waits for more. */
    private void due(int cqn, long at) {
        int count = parts.table().moderationCount(cqn);
        int period = parts.table().moderationUs(cqn);
        int waited = s.wait(cqn);
        if ((count <= 1 && period == 0) || (count > 0 && waited >= count)) {
            fire(cqn, at);
        } else if (period > 0 && waited == 1) {
            events.send(at + period * US, PERIOD_OVER, cqn, s.fired(cqn));
        }
    }

    private void fire(int cqn, long at) {
        s.fire(cqn);
        eventWriter.write(Eqe.COMP, cqn, at);
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
        Cqe.write(
                bytes,
                c.opcode,
                c.wqeOpcode,
                c.qpn,
                c.srcQp,
                c.wqeCounter,
                c.byteCount,
                c.imm,
                c.syndrome,
                c.solicited,
                owner);
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
        if (s.counts(c.cqn, c.solicited || c.syndrome != 0)) {
            due(c.cqn, leaves + 1);
        }
        parts.completions().give(c);
    }
}

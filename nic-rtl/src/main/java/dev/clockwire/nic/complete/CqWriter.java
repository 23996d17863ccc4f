package dev.clockwire.nic.complete;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.CqContext;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.doorbell.ArmWord;
import dev.clockwire.nic.profile.QueueSpec;
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
import dev.clockwire.sim.fault.FaultGate;
import dev.clockwire.sim.fault.FaultGates;
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

    /**
     * Event of {@link #events}: a send queue stands until a completion queue has had so many completions in all. a = slot of the send queue in
     * bits 63:32, CQN in 31:0; b = number of the question in bits 63:32, completions modulo 2^32 in 31:0.
     */
    public static final int WAIT = 5;

    static final int PERIOD_OVER = 1;
    static final int ENTRY_WRITTEN = 3;
    static final int INTERRUPT_PERIOD_OVER = 4;
    private static final int WRITES = 1 << 14;
    private static final int NOBODY = -1;
    private static final int SEND = 1;
    private static final int RECEIVE = 2;

    /** What became of a completion: it is written, or lost with its broken queue, or waits until the record has been read, which begins or goes on. */
    private static final int WRITTEN = 0;

    private static final int LOST = 1;
    private static final int ASKED = 2;
    private static final int WAITS = 3;

    /** Like {@link #WRITTEN}, but the completion is kept: it waits to share entries with others. */
    private static final int HELD = 4;

    private final Channel<Completion> sends;
    private final Channel<Completion> receives;
    private final Inlet<DmaRead> replies;
    private final DeviceParts parts;
    private final Inlet<DmaWrite> written;
    private final LongChannel arms;
    private final CqeOutput output;
    private final ConsumerRecord record;
    private final EventPort events;
    private final EventWriter eventWriter;
    private final CqEvents armed;
    /** Null: each completion has an entry of its own. */
    private final @Nullable CqeCompressor compressor;

    private final CqState s = state(new CqState());
    private final CqWaits waits = state(new CqWaits());
    private @Nullable FaultGates order;
    private @Nullable Channel<Completion> others;

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
        this.parts = parts;
        written = new Inlet<>(this, "written", WRITES, 1);
        replies = new Inlet<>(this, "replies", 1, 1);
        record = new ConsumerRecord(reads, replies, parts, s);
        output = new CqeOutput(new Probe(this, "cq"), clock, writes, parts);
        this.arms = arms.to(this);
        eventWriter = state(new EventWriter(writes, written, parts, clock));
        QueueSpec queues = parts.spec().queues();
        compressor = queues.compression() == QueueSpec.Compression.OFF
                ? null
                : state(new CqeCompressor(queues.compressionCycles()));
        events = new EventPort(this, "events") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (kind == WAIT) {
                    armed.waitFor(a, b, now());
                } else {
                    armed.happened(kind, (int) a, (int) b, now());
                }
            }
        };
        armed = new CqEvents(parts, s, waits, eventWriter, events);
        eventWriter.timer(events, ENTRY_WRITTEN, INTERRUPT_PERIOD_OVER);
    }

    /** Says where answers to {@link #WAIT} go: a = slot of the send queue, b = number of the question, and bit 32 if it may go on. */
    public void answerWaits(EventPort port, int kind) {
        waits.answer(port, kind);
    }

    /** Returns the port that takes what programs want to know, and waits: kinds {@link #HAPPENED} and {@link #WAIT}. */
    public EventPort events() {
        return events;
    }

    /** Returns how many entries of a queue were written so far; for the driver's commands, which run before any block of an instant. */
    public long produced(int cqn) {
        return s.produced(cqn);
    }

    /** Sets the rules by which completions are written in the wrong order; to be called before elaboration. */
    public void misorder(FaultGates rules) {
        order = state(rules);
    }

    /** Returns the entries written to the event queue. */
    public long eventEntries() {
        return eventWriter.entries();
    }

    /** Returns the interrupts of the event queue, those that a mask keeps pending included. */
    public long eventInterrupts() {
        return eventWriter.interrupts();
    }

    /** Returns the entries lost because the event queue was full. */
    public long eventOverruns() {
        return eventWriter.overruns();
    }

    /** Returns completions that were lost because their queue had overflowed. */
    public long lost() {
        return s.lost;
    }

    @Override
    protected boolean tick(long cycle) {
        return work(cycle) && (more(cycle + 1) || rest(true));
    }

    /** Whether the next cycle may have work; with completions held back, whoever holds them asks for the time when he finds nothing else. */
    private boolean more(long next) {
        return compressor != null
                || s.held != null
                || sends.valid(next)
                || receives.valid(next)
                || written.valid(next)
                || replies.valid(next)
                || arms.valid(next)
                || (others != null && others.valid(next));
    }

    private boolean work(long cycle) {
        boolean did = false;
        while (written.valid(cycle)) {
            parts.writes().give(written.take(cycle));
            did = true;
        }
        if (replies.valid(cycle)) {
            record.arrived(replies.take(cycle), now());
            did = true;
        }
        if (arms.valid(cycle)) {
            armed.arm(arms.take(cycle), now());
            did = true;
        }
        CqeCompressor shared = compressor;
        if (shared != null && writesDue(shared, cycle)) {
            return true;
        }
        Completion late = s.held;
        if (late != null && (s.heldDue || cycle >= s.heldUntil)) {
            int result = place(late, s.heldReceive);
            if (result != ASKED && result != WAITS) {
                s.held = null;
            }
            if (result == WRITTEN || result == LOST) {
                parts.completions().give(late);
            }
            return result == WAITS ? did : true;
        }
        if (late != null) {
            wakeAt(s.heldUntil);
        }
        Channel<Completion> third = others;
        boolean rdma = receives.valid(cycle) || sends.valid(cycle);
        if (third != null && third.valid(cycle) && (s.otherTurn || !rdma)) {
            return other(third, cycle) || did;
        }
        s.otherTurn |= third != null && rdma;
        boolean receive = receives.valid(cycle) && (s.receiveTurn || !sends.valid(cycle));
        if (!receive && !sends.valid(cycle)) {
            return did;
        }
        Channel<Completion> from = receive ? receives : sends;
        if (from.bits().opcode == Completion.END) {
            ended(from, receive, cycle);
            return true;
        }
        if (order != null && holds(order, from, receive, cycle)) {
            return true;
        }
        int result = place(from.bits(), receive);
        if (result == WAITS) {
            return did;
        }
        if (result == WRITTEN || result == HELD) {
            s.receiveTurn = !receive;
            s.heldDue = late != null && late.cqn == from.bits().cqn;
        }
        if (result != ASKED) {
            s.judged &= ~(receive ? RECEIVE : SEND);
            Completion taken = from.take(cycle);
            if (result != HELD) {
                parts.completions().give(taken);
            }
        }
        return true;
    }

    /** Takes completions of a third engine too; to be called before elaboration. */
    public void also(Channel<Completion> more) {
        others = more.to(this);
    }

    /** Writes a completion of the third engine; no fault is about those. */
    private boolean other(Channel<Completion> from, long cycle) {
        int result = place(from.bits(), true);
        if (result == WAITS) {
            return false;
        }
        if (result != ASKED) {
            s.otherTurn = false;
            Completion taken = from.take(cycle);
            if (result != HELD) {
                parts.completions().give(taken);
            }
        }
        return true;
    }

    /** Writes the block whose time is over; else asks to be called when one is. */
    private boolean writesDue(CqeCompressor shared, long cycle) {
        CqeCompressor.Block block = shared.first();
        if (block == null) {
            return false;
        }
        if (cycle < block.due) {
            wakeAt(block.due);
            return false;
        }
        write(shared, block);
        return true;
    }

    /** Nothing more of a queue pair comes from this side; what a fault holds back of it goes first. */
    private void ended(Channel<Completion> from, boolean receive, long cycle) {
        Completion late = s.held;
        if (late != null && late.qpn == from.bits().qpn && s.heldReceive == receive) {
            s.heldDue = true;
            return;
        }
        CqeCompressor shared = compressor;
        CqeCompressor.Block block = shared == null ? null : shared.open(from.bits().cqn);
        if (shared != null && block != null) {
            write(shared, block);
            return;
        }
        s.receiveTurn = !receive;
        parts.control().emptied(Objects.requireNonNull(parts.table().qp(from.bits().qpn)));
        parts.completions().give(from.take(cycle));
    }

    /** Lets a fault take the next completion aside. */
    private boolean holds(FaultGates rules, Channel<Completion> from, boolean receive, long cycle) {
        int which = receive ? RECEIVE : SEND;
        if ((s.judged & which) != 0) {
            return false; // it waits for room and was asked about before
        }
        FaultGate fault = rules.judge(now());
        if (fault == null || s.held != null) {
            s.judged |= which;
            return false;
        }
        s.held = from.take(cycle);
        s.heldReceive = receive;
        s.heldDue = false;
        s.heldUntil = clock().edgeAfter(now() + fault.rule().delayPs());
        wakeAt(s.heldUntil);
        return true;
    }

    /** Writes a completion if its queue has room. */
    private int place(Completion c, boolean receive) {
        CqContext cq = Objects.requireNonNull(parts.table().cq(c.cqn));
        if (parts.table().isBroken(c.cqn)) {
            s.lost++;
            return LOST;
        }
        CqeCompressor shared = compressor;
        long used = s.used(c.cqn) + (shared == null ? 0 : shared.waiting(c.cqn));
        if (used >= cq.entries()) {
            return full(cq);
        }
        if (s.asked == c.cqn) {
            s.asked = NOBODY;
        }
        if (c.donePs < s.roomAt) { // it, or one in front of it, found no room
            Journal journal = parts.journal();
            long from = Math.max(c.donePs, s.roomAskedAt);
            journal.delayedIn(c.stage(journal), c.journey, journal.causes.cqRecord, from, s.roomAt);
        }
        if (used > 0 && used >= cq.entries() / 2 && !s.reading) {
            record.read(cq, now());
        }
        if (shared != null) {
            return share(shared, c, cq, receive);
        }
        write(c, cq, receive);
        return WRITTEN;
    }

    /** Lets a completion wait for others, if it may; what waits already and is not alike is written first. */
    private int share(CqeCompressor shared, Completion c, CqContext cq, boolean receive) {
        CqeCompressor.Block block = shared.open(c.cqn);
        boolean may = parts.table().isCompressed(c.cqn) && CqeCompressor.isOrdinary(c);
        if (block != null && !(may && block.takes(c))) {
            write(shared, block);
            return ASKED;
        }
        if (!may) {
            write(c, cq, receive);
            return WRITTEN;
        }
        c.donePs = now();
        CqeCompressor.Block of = shared.add(c, receive, clock().cycle());
        if (of.isFull()) {
            write(shared, of);
        }
        return HELD;
    }

    /** Writes what waits for a queue: one completion as it is, several as an array and their title, which comes last. */
    private void write(CqeCompressor shared, CqeCompressor.Block block) {
        CqContext cq = Objects.requireNonNull(parts.table().cq(block.cqn));
        int n = block.count;
        Journal journal = parts.journal();
        for (int i = 0; i < n; i++) {
            Completion c = block.get(i);
            journal.delayedIn(c.stage(journal), c.journey, journal.causes.moderation, c.donePs, now());
        }
        if (n == 1) {
            write(block.get(0), cq, block.receives);
        } else {
            long index = s.produced(block.cqn);
            long leaves = output.leaves();
            output.beginArray();
            for (int i = 0; i < n; i++) {
                Completion c = block.get(i);
                output.addToArray(i, c);
                output.observe(c, block.receives, leaves);
                s.next(block.cqn);
            }
            output.sendArray(cq, index + 1, leaves);
            output.entry(block.get(0), cq, index);
            output.title(n);
            output.send(cq, index, block.get(n - 1), block.receives, leaves);
            for (int i = 0; i < n; i++) {
                armed.written(block.get(i), leaves);
            }
            come(block.cqn, leaves);
        }
        for (int i = 0; i < n; i++) {
            parts.completions().give(block.get(i));
        }
        shared.written(block);
    }

    /** There is no room as far as is known: asks the record, and if that says the same, breaks the queue. */
    private int full(CqContext cq) {
        if (s.reading) {
            return WAITS;
        }
        if (s.asked == cq.cqn()) {
            s.asked = NOBODY;
            s.lost++;
            parts.control().cqFailed(cq.cqn());
            waits.refuse(cq.cqn(), now() + 1);
            return LOST;
        }
        s.asked = cq.cqn();
        record.read(cq, now());
        return ASKED;
    }

    private void write(Completion c, CqContext cq, boolean receive) {
        long leaves = output.leaves();
        long index = s.next(c.cqn);
        output.entry(c, cq, index);
        output.observe(c, receive, leaves);
        output.send(cq, index, c, receive, leaves);
        armed.written(c, leaves);
        come(c.cqn, leaves);
    }

    private void come(int cqn, long leaves) {
        if (!waits.isEmpty()) {
            waits.produced(cqn, s.produced(cqn), leaves + 1);
        }
    }

    /** Returns blocks of several completions that shared entries. */
    public long compressedBlocks() {
        return compressor == null ? 0 : compressor.blocks();
    }

    /** Returns the completions in them. */
    public long compressedCompletions() {
        return compressor == null ? 0 : compressor.completions();
    }
}

package dev.clockwire.nic.complete;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.CqContext;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.doorbell.ArmWord;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.nic.format.MiniCqe;
import dev.clockwire.nic.profile.QueueSpec;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.pcie.endpoint.DmaError;
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

    private static final int PERIOD_OVER = 1;
    private static final int ENTRY_WRITTEN = 3;
    private static final int INTERRUPT_PERIOD_OVER = 4;
    private static final long US = 1_000_000;
    private static final int WRITES = 1 << 14;
    private static final int RECORD_BYTES = 4;
    private static final int FLOW = 0xFFFD;
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
    private final byte[] array = new byte[Cqe.BYTES];
    /** Null: each completion has an entry of its own. */
    private final @Nullable CqeCompressor compressor;

    private final HeldJourneys nobody = new HeldJourneys();
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
        this.reads = reads;
        this.writes = writes;
        this.parts = parts;
        written = new Inlet<>(this, "written", WRITES, 1);
        replies = new Inlet<>(this, "replies", 1, 1);
        probe = new Probe(this, "cq");
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
                    waitFor(a, b);
                } else {
                    onEvent(kind, (int) a, (int) b);
                }
            }
        };
        eventWriter.timer(events, ENTRY_WRITTEN, INTERRUPT_PERIOD_OVER);
    }

    private void onEvent(int kind, int a, int b) {
        switch (kind) {
            case HAPPENED -> eventWriter.write(a, b, now() + 1, nobody);
            case BEHIND -> eventWriter.write(a, b, now() + completionPs(), nobody);
            case ENTRY_WRITTEN -> eventWriter.entryWritten(now());
            case INTERRUPT_PERIOD_OVER -> eventWriter.periodOver(a, now());
            default -> {
                if (s.isArmed(a) && s.fired(a) == b) {
                    fire(a, now() + 1);
                }
            }
        }
    }

    /** What had come before is answered when it is on its way to memory, as is what comes later. */
    private void waitFor(long who, long what) {
        int cqn = (int) who;
        if (parts.table().cq(cqn) == null || parts.table().isBroken(cqn)) {
            waits.answer(who, what, false, now() + 1);
        } else if (CqWaits.reached(s.produced(cqn), what)) {
            waits.answer(who, what, true, now() + completionPs());
        } else {
            waits.add(who, what);
        }
    }

    /** Says where answers to {@link #WAIT} go: a = slot of the send queue, b = number of the question, and bit 32 if it may go on. */
    public void answerWaits(EventPort port, int kind) {
        waits.answer(port, kind);
    }

    /** Returns the port that takes what programs want to know, and waits: kinds {@link #HAPPENED} and {@link #WAIT}. */
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
        if (used > 0 && used >= cq.entries() / 2 && !s.reading) {
            readRecord(cq);
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
        if (n == 1) {
            write(block.get(0), cq, block.receives);
        } else {
            long index = s.produced(block.cqn);
            long leaves = leaves();
            MiniCqe.clear(array);
            for (int i = 0; i < n; i++) {
                Completion c = block.get(i);
                MiniCqe.put(array, i, c.wqeCounter, c.wqeOpcode, c.byteCount);
                observe(c, block.receives, leaves);
                s.next(block.cqn);
            }
            send(array, cq, index + 1, null, block.receives, leaves);
            entry(block.get(0), cq, index);
            MiniCqe.title(bytes, n);
            send(bytes, cq, index, block.get(n - 1), block.receives, leaves);
            for (int i = 0; i < n; i++) {
                tell(block.get(i), leaves);
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
        readRecord(cq);
        return ASKED;
    }

    private void arm(long word) {
        int cqn = ArmWord.cqn(word);
        if (parts.table().cq(cqn) != null) {
            int how = ArmWord.solicitedOnly(word) ? CqState.SOLICITED : CqState.ANY;
            if (s.arm(cqn, how, ArmWord.seen(word), ArmWord.known(word), ArmWord.sequence(word))) {
                due(cqn, now() + 1, 0);
            }
        }
    }

    /** A completion counts for the event of an armed queue: it goes out now, or waits for more. */
    private void due(int cqn, long at, long journey) {
        s.held(cqn).add(journey, at);
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
        if (eventWriter.write(Eqe.COMP, cqn, at, s.held(cqn))) {
            s.fire(cqn);
        }
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
        if (reply.error != DmaError.NONE) {
            parts.control().cqFailed((int) reply.cookie);
            return;
        }
        int counter = 0;
        for (int i = 1; i < RECORD_BYTES; i++) {
            counter = (counter << 8) | (reply.into.byteAt(i) & 0xFF);
        }
        s.consumed((int) reply.cookie, counter);
    }

    private void write(Completion c, CqContext cq, boolean receive) {
        long leaves = leaves();
        long index = s.next(c.cqn);
        entry(c, cq, index);
        observe(c, receive, leaves);
        send(bytes, cq, index, c, receive, leaves);
        tell(c, leaves);
        come(c.cqn, leaves);
    }

    private void come(int cqn, long leaves) {
        if (!waits.isEmpty()) {
            waits.produced(cqn, s.produced(cqn), leaves + 1);
        }
    }

    private long leaves() {
        return clock().edgeTime(clock().cycle() + parts.spec().completionCycles() - 1) + 1;
    }

    private void entry(Completion c, CqContext cq, long index) {
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
        if (c.hash != 0) {
            Cqe.putHash(bytes, c.hash);
        }
    }

    private void observe(Completion c, boolean receive, long leaves) {
        probe.fold(now(), c.opcode, (long) c.cqn << 48 ^ (long) c.qpn << 24 ^ (long) c.wqeCounter << 8 ^ c.syndrome);
        Journal journal = parts.journal();
        journal.stamp(c.journey, receive ? journal.recvCompletion : journal.completion, 0, now(), leaves);
    }

    /** Sends an entry to its place in the ring; the write is followed as a part of an operation, if one is given. */
    private void send(
            byte[] from, CqContext cq, long index, @Nullable Completion followed, boolean receive, long leaves) {
        Journal journal = parts.journal();
        DmaWrite w = parts.writes().take();
        w.relaxed = false;
        w.address = cq.base() + (index & cq.entries() - 1) * Cqe.BYTES;
        w.data.clear();
        w.data.appendBytes(from, 0, Cqe.BYTES);
        w.length = Cqe.BYTES;
        w.journey = followed == null ? 0 : followed.journey;
        w.stage = w.journey == 0 ? 0 : receive ? journal.recvCqeWrite : journal.cqeWrite;
        w.done = written;
        writes.send(leaves, 0, 0, 0, w);
    }

    /** A completion has been written: if its queue is armed, an event may be due. */
    private void tell(Completion c, long leaves) {
        if (s.counts(c.cqn, c.solicited || c.syndrome != 0)) {
            due(c.cqn, leaves + 1, c.journey);
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

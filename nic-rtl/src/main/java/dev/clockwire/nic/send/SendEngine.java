package dev.clockwire.nic.send;

import dev.clockwire.nic.complete.CqWriter;
import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.dma.PayloadEngine;
import dev.clockwire.nic.dma.TxSlot;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.sched.QpArbiter;
import dev.clockwire.nic.sched.QpScheduler;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.Requester;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * Executes WQEs. Each cycle it may take a WQE, make one packet and ask for its payload, hand one packet whose payload is
 * here to the encoder, and judge one response. Queue pairs take turns packet by packet.
 */
public final class SendEngine extends SimModule {
    private static final int SYNC = 1;
    private static final int REPLIES = 1 << 14;
    private static final int WRITES = 1 << 16;
    /** Event of {@link #wakeQueue}: something in the context changed. */
    public static final int LOOK = 0;
    /** Event of {@link #wakeQueue}: the queue pair has left SQE or SQD. */
    public static final int RESUME = 2;
    /** Event of {@link #wakeQueue}: the parameters in the context are new. */
    public static final int MODIFIED = 4;
    /** Event of {@link #wakeQueue}: the keys were changed as a WQE asked, b = 1, or were not, b = 0. */
    public static final int KEYS_CHANGED = 5;

    /**
     * Event of {@link #wakeQueue}: tell when everything in front of a block, the low 16 bits of b, has ended; what is posted afterwards
     * begins at another, the next 16.
     */
    public static final int EMPTY = 6;

    /** Event of {@link #wakeQueue}: the pacing in the context is new. */
    public static final int PACED = 7;

    /** Event of {@link #wakeQueue}: a WAIT is over, b = number of the question, and bit 32 if the queue may go on. */
    public static final int RELEASED = 8;

    /** Event of {@link #wakeQueue}: a receiver-not-ready wait is over, b = rewinds by then. */
    static final int RNR_OVER = 1;

    private static final int ACK_TIMER = 3;
    private static final long NEVER = Long.MAX_VALUE;

    private final Channel<Wqe> wqes;
    private final Channel<RocePacket> responses;
    private final LongChannel sentNotices;
    private final Channel<RocePacket> out;
    private final DeviceParts parts;
    private final Inlet<DmaRead> replies;
    private final PayloadEngine payload;
    private final Gather gather;
    private final Finisher finisher;
    private final LostTime lost;
    private final EventPort wakeQueue;
    private final EventPort pauses;
    private final AckTimers timers;
    private final SendFailures failures;
    private final WqeStarter starter;
    private final Answers answers;
    private final @Nullable WqeStore store;
    private final Questions questions;
    private final SendState s;

    /**
     * Creates the engine.
     *
     * @param wqes from the lookup
     * @param responses from the receiver: ACKs and responses with payload
     * @param sentNotices from the MAC: the {@link SentWord} of UC and UD messages whose last packet has begun to leave
     * @param out to the encoder
     * @param started to the scheduler: a WQE has started, another may be fetched
     * @param completions to the completion unit
     * @param reads the endpoint's port for payload reads
     * @param writes the endpoint's port for what READs and atomics bring
     */
    public SendEngine(
            Scope parent,
            Clock clock,
            Channel<Wqe> wqes,
            Channel<RocePacket> responses,
            LongChannel sentNotices,
            Channel<RocePacket> out,
            LongChannel started,
            Channel<Completion> completions,
            EventPort reads,
            EventPort writes,
            DeviceParts parts) {
        super(parent, "sendEngine", clock);
        this.wqes = wqes.to(this);
        this.responses = responses.to(this);
        this.sentNotices = sentNotices.to(this);
        this.out = out.from(this);
        this.parts = parts;
        replies = new Inlet<>(this, "replies", REPLIES, SYNC);
        long gatherPs = clock.edgeTime(parts.spec().gatherCycles()) - clock.edgeTime(0);
        payload = state(new PayloadEngine(
                reads,
                replies,
                parts,
                parts.spec().storeWholeMessages(),
                0,
                gatherPs,
                parts.journal().payloadDma,
                QpArbiter.of(parts.spec().queues().policy(), parts.table())));
        gather = new Gather(payload, parts);
        finisher =
                state(new Finisher(completions.from(this), writes, new Inlet<>(this, "written", WRITES, SYNC), parts));
        lost = new LostTime(parts.journal(), clock);
        store = parts.spec().icm().wqes() == 0 ? null : store(reads);
        questions = state(new Questions(parts));
        s = state(new SendState(parts.table(), parts.spec()));
        wakeQueue = new EventPort(this, "wakeQueue") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                onEvent(kind, (int) a, b);
            }
        };
        pauses = new EventPort(this, "pauses") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                payload.hold((int) a);
                wake();
            }
        };
        timers = new AckTimers(wakeQueue, ACK_TIMER);
        LongChannel begun = started.from(this);
        failures = new SendFailures(parts, s, payload, finisher, begun);
        starter = new WqeStarter(parts, clock, finisher, questions, store, begun, failures);
        answers = new Answers(parts, s, finisher, failures, timers, wakeQueue);
    }

    private WqeStore store(EventPort reads) {
        CacheSpec spec = parts.spec().icm().wqeCache();
        WqeStore made = state(new WqeStore(spec, spec.random() ? random("wqes") : null, reads, replies, parts));
        made.register(sim().stats(), path());
        return made;
    }

    /** Returns the port that makes the engine look at a queue whose context changed: a = its slot. */
    public EventPort wakeQueue() {
        return wakeQueue;
    }

    /** Returns the port that holds classes of traffic: a = which, bit n for class n. */
    public EventPort pauses() {
        return pauses;
    }

    /** Says who knows how far completion queues have come, and who releases sends. To be called before elaboration. */
    public void crossChannel(CqWriter completionUnit, QpScheduler scheduler) {
        questions.waitAt(completionUnit.events());
        questions.enableAt(scheduler.enables());
        scheduler.tellFetched(wakeQueue, EMPTY);
        completionUnit.answerWaits(wakeQueue, RELEASED);
    }

    /** Returns the most packets that others made while one queue was ready to make one; 0 if all take turns anyway. */
    public long overtaken() {
        return s.issue.overtaken();
    }

    /** Returns what went wrong so far. */
    public SendCounters counters() {
        return s.counters;
    }

    private void onEvent(int kind, int q, long b) {
        SendQueue queue = s.queue(q);
        switch (kind) {
            case RNR_OVER -> {
                if (queue.requester.rnrWaiting() && queue.requester.rewinds() == b) {
                    Requester.rnrExpired(queue.requester);
                }
            }
            case ACK_TIMER -> {
                if (queue.failed || !timers.expired(queue)) {
                    return;
                }
                answers.onTimeout(queue, q, now());
            }
            case RESUME -> queue.resume();
            case MODIFIED -> queue.modified(parts.spec().maxRdAtomic());
            case PACED -> queue.gate.change(queue.qp.rate, clock().edgeAfter(now()), b != 0);
            case EMPTY -> {
                queue.emptyAt = (int) b & 0xFFFF;
                queue.nextIndex = (int) b >>> Short.SIZE;
            }
            case KEYS_CHANGED -> queue.local.done(b != 0);
            case RELEASED -> {
                queue.local.released((int) b, b >>> Integer.SIZE != 0);
                queue.readyAt = now(); // it was in the ring, but nobody kept it waiting
                queue.madeThen = s.made;
            }
            default -> {}
        }
        s.ready(q, now());
        wake();
    }

    @Override
    protected boolean tick(long cycle) {
        return work(cycle) && (more(cycle + 1) || rest(true));
    }

    /** Whether the next cycle may have work. Queues that wait for a time have not rested yet: they ask for it when they find nothing. */
    private boolean more(long next) {
        return s.issue.size() > 0
                || (payload.candidates() > 0 && out.ready(next))
                || replies.valid(next)
                || responses.valid(next)
                || sentNotices.valid(next)
                || wqes.valid(next)
                || finisher.more(next);
    }

    private boolean work(long cycle) {
        boolean did = false;
        while (replies.valid(cycle)) {
            onReply(replies.take(cycle), cycle);
            did = true;
        }
        did |= finisher.tick(cycle);
        if (responses.valid(cycle) && finisher.hasRoom() && finisher.mayPlace()) {
            answers.onResponse(responses.take(cycle), cycle, now());
            did = true;
        }
        if (sentNotices.valid(cycle) && finisher.hasRoom()) {
            answers.onSent(sentNotices.take(cycle), now());
            did = true;
        }
        if (wqes.valid(cycle)) {
            accept(wqes.take(cycle));
            did = true;
        }
        did |= issue(cycle);
        did |= transmit(cycle);
        return did;
    }

    private void accept(Wqe wqe) {
        int q = parts.table().slot(wqe.qpn);
        s.queue(q).addWaiting(wqe);
        if (store != null) {
            store.add(q, wqe);
        }
        s.ready(q, now());
    }

    private void onReply(DmaRead reply, long cycle) {
        if (store != null && reply.cookie < 0) {
            int q = store.queueOf(reply);
            Wqe wqe = store.arrived(s.queue(q), reply, now());
            if (reply.error != DmaError.NONE && wqe != null) {
                failures.unread(s.queue(q), q, wqe, now());
            }
            s.ready(q, now());
            return;
        }
        if (reply.error != DmaError.NONE) {
            failures.broken(reply, now());
            return;
        }
        TxSlot slot = payload.onReply(reply);
        if (slot != null) {
            s.queue(slot.queue()).fetched(slot.last, cycle);
            parts.journal().stampGather(slot.packet, parts.journal().payloadDma, slot.askedPs, reply, now());
        }
    }

    /** Makes one packet of the first queue that can go on; queues that cannot leave the ring until something changes. */
    private boolean issue(long cycle) {
        long wake = NEVER;
        boolean left = false;
        int asked = questions.asked();
        s.issue.begin();
        for (int n = s.issue.size(); n > 0 && payload.hasRoom(); n--) {
            int q = s.issue.next();
            SendQueue queue = s.queue(q);
            if (!payload.hasRoom(queue.qp.flow)) {
                s.issue.pass(q);
            } else if (!queue.failed && queue.waitingCount > 0 && queue.allMade() && queue.nextStart > cycle) {
                wake = Math.min(wake, queue.nextStart);
                s.issue.pass(q);
            } else if (queue.held(cycle)) {
                wake = Math.min(wake, queue.gate.due());
                s.issue.pass(q);
            } else if (advance(queue, q, cycle)) {
                s.issue.granted(q);
                if (queue.hasWork() || queue.emptyAt >= 0) {
                    s.ready(q, clock().edgeTime(cycle + 1));
                }
                return true;
            } else if (queue.hasWork() && (!queue.waitsForResponse() || lacksWqe(queue, q))) {
                s.issue.pass(q);
            } else {
                left = true;
            }
        }
        if (wake != NEVER) {
            wakeAt(wake);
        }
        return left || questions.asked() != asked;
    }

    private boolean advance(SendQueue queue, int q, long cycle) {
        if (!queue.failed && queue.qp.state == QpState.ERR) {
            payload.flush(q);
            failures.stop(queue);
        }
        if (queue.failed) {
            return failures.flush(queue, cycle, now()) || failures.emptied(queue);
        }
        if (queue.requester.rnrWaiting()) {
            return false;
        }
        if (queue.isBroken()) {
            if (queue.reported < queue.broken) {
                return false;
            }
            failures.fail(queue);
            return true;
        }
        if (store != null && store.lacks(queue, q)) {
            return store.ask(queue, q, now());
        }
        if (!queue.allMade()) {
            return makeIfAllowed(queue, q, cycle);
        }
        if (queue.qp.state == QpState.SQD) {
            return starter.drained(queue);
        }
        if (!starter.start(queue, q, cycle, now())) {
            return false;
        }
        if (!queue.allMade()) {
            makeIfAllowed(queue, q, cycle);
        }
        return true;
    }

    private boolean lacksWqe(SendQueue queue, int q) {
        return store != null && store.lacks(queue, q);
    }

    /** Makes the next packet unless the peer has no receive for it; one that begins to wait for its rate is a change too. */
    private boolean makeIfAllowed(SendQueue queue, int q, long cycle) {
        if (!queue.mayMake()) {
            return false;
        }
        if (queue.passes(cycle)) {
            passed(queue, cycle);
            make(queue, q, cycle);
        } else if (queue.pacedSince < 0) {
            queue.pacedSince = now();
        }
        return true;
    }

    private void passed(SendQueue queue, long cycle) {
        EventPort port = parts.refills();
        if (port != null && queue.gate.limits()) {
            port.send(now() + 1, 0, queue.qp.uar, cycle);
        }
    }

    private void make(SendQueue queue, int q, long cycle) {
        long entry = queue.issueEntry;
        int index = queue.issuePacket;
        Wqe wqe = queue.inFlight(entry);
        RocePacket packet = parts.packets().take();
        long offset = Requester.fillRequest(queue.requester, entry, index, packet);
        packet.flow.set(parts.flowOf(queue.qp, wqe));
        packet.journey = wqe.journey;
        boolean overtaken = s.made++ > queue.madeThen;
        boolean last = Opcode.of(packet.opcode).endsMessage();
        TxSlot slot = payload.add(q, packet, entry, index, last);
        gather.ask(slot, queue.qp, wqe, offset, now());
        payload.added(slot);
        lost.made(queue, wqe, slot, overtaken, last, now());
        if (slot.pending == 0) {
            queue.fetched(last, cycle);
        }
        queue.issueEntry = last ? entry + 1 : entry;
        queue.issuePacket = last ? 0 : index + 1;
    }

    private boolean transmit(long cycle) {
        if (!out.ready(cycle) || payload.candidates() == 0) {
            return false;
        }
        int q = payload.pick();
        if (q < 0) {
            return q == PayloadEngine.NONE;
        }
        SendQueue queue = s.queue(q);
        TxSlot slot = payload.remove(q);
        boolean ends = Requester.sent(queue.requester, slot.entry, slot.index);
        timers.sent(queue);
        slot.packet.tag = ends ? SentWord.of(queue.qp.qpn, slot.entry) : 0;
        out.put(cycle, slot.packet);
        payload.release(slot);
        return true;
    }
}

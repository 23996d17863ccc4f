package dev.clockwire.nic.send;

import dev.clockwire.nic.complete.CqWriter;
import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.dma.PayloadEngine;
import dev.clockwire.nic.dma.TxSlot;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.sched.QpArbiter;
import dev.clockwire.nic.sched.QpScheduler;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.Requester;
import dev.clockwire.roce.transport.RequesterState;
import dev.clockwire.roce.transport.ResponseResult;
import dev.clockwire.roce.transport.WcStatus;
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

    /** Event of {@link #wakeQueue}: tell when everything in front of a block, b, has ended. */
    public static final int EMPTY = 6;

    /** Event of {@link #wakeQueue}: the pacing in the context is new. */
    public static final int PACED = 7;

    /** Event of {@link #wakeQueue}: a WAIT is over, b = number of the question, and bit 32 if the queue may go on. */
    public static final int RELEASED = 8;

    private static final int RNR_OVER = 1;
    private static final int ACK_TIMER = 3;
    private static final long NEVER = Long.MAX_VALUE;

    private final Channel<Wqe> wqes;
    private final Channel<RocePacket> responses;
    private final LongChannel sentNotices;
    private final Channel<RocePacket> out;
    private final LongChannel started;
    private final DeviceParts parts;
    private final Inlet<DmaRead> replies;
    private final PayloadEngine payload;
    private final Gather gather;
    private final Finisher finisher;
    private final WorkParser parser;
    private final LostTime lost;
    private final EventPort wakeQueue;
    private final AckTimers timers;
    private final ResponseResult result = new ResponseResult();
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
        this.started = started.from(this);
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
                QpArbiter.of(parts.spec().queues().policy(), parts.table())));
        gather = new Gather(payload);
        finisher =
                state(new Finisher(completions.from(this), writes, new Inlet<>(this, "written", WRITES, SYNC), parts));
        parser = new WorkParser(parts.table());
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
        timers = new AckTimers(wakeQueue, ACK_TIMER);
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

    /** Says who knows how far completion queues have come, and who releases sends. To be called before elaboration. */
    public void crossChannel(CqWriter completionUnit, QpScheduler scheduler) {
        questions.waitAt(completionUnit.events());
        questions.enableAt(scheduler.enables());
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
                onTimeout(queue, q);
            }
            case RESUME -> queue.resume();
            case MODIFIED -> queue.modified(parts.spec().maxRdAtomic());
            case PACED -> queue.gate.change(queue.qp.rate, clock().edgeAfter(now()), b != 0);
            case EMPTY -> queue.emptyAt = (int) b;
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

    private void onTimeout(SendQueue queue, int q) {
        Requester.onTimeout(queue.requester, result);
        if (result.action == ResponseResult.Action.RETRY) {
            s.counters.timeout();
        }
        react(queue, q);
        timers.restart(queue);
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = false;
        while (replies.valid(cycle)) {
            onReply(replies.take(cycle), cycle);
            did = true;
        }
        did |= finisher.tick(cycle);
        if (responses.valid(cycle) && finisher.hasRoom() && finisher.mayPlace()) {
            onResponse(responses.take(cycle), cycle);
            did = true;
        }
        if (sentNotices.valid(cycle) && finisher.hasRoom()) {
            onSent(sentNotices.take(cycle));
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
            if (reply.error != DmaError.NONE && !s.queue(q).failed) {
                fail(s.queue(q));
            }
            store.arrived(s.queue(q), reply, now());
            s.ready(q, now());
            return;
        }
        if (reply.error != DmaError.NONE) {
            broken(reply);
            return;
        }
        TxSlot slot = payload.onReply(reply);
        if (slot != null) {
            RocePacket p = slot.packet;
            s.queue(slot.queue()).fetched(slot.last, cycle);
            parts.journal().stamp(p.journey, parts.journal().payloadDma, p.psn, slot.askedPs, now());
        }
    }

    /** Payload did not come, or is wrong: its work request ends with an error behind those before it, and the queue pair fails. */
    private void broken(DmaRead reply) {
        TxSlot slot = payload.slot((int) reply.cookie);
        int q = slot.queue();
        long entry = slot.entry;
        boolean wanted = !slot.isDead();
        payload.onReply(reply);
        SendQueue queue = s.queue(q);
        if (wanted && !queue.failed) {
            payload.flush(q);
            queue.broken = entry;
            fail(queue);
            s.ready(q, now());
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
            if (!queue.failed && queue.waitingCount > 0 && queue.allMade() && queue.nextStart > cycle) {
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
            stop(queue);
        }
        if (queue.failed) {
            return flush(queue, cycle) || emptied(queue);
        }
        if (queue.requester.rnrWaiting()) {
            return false;
        }
        if (store != null && store.lacks(queue, q)) {
            return store.ask(queue, q, now());
        }
        if (!queue.allMade()) {
            return makeIfAllowed(queue, q, cycle);
        }
        if (queue.qp.state == QpState.SQD) {
            return drained(queue);
        }
        if (!start(queue, q, cycle)) {
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

    /** In SQD nothing new starts; says so once when all that had started has ended. */
    private boolean drained(SendQueue queue) {
        if (queue.drained || !queue.idle()) {
            return false;
        }
        queue.drained = true;
        parts.control().drained(queue.qp);
        return true;
    }

    /** Starts the next WQE of a queue; false if it must wait. */
    private boolean start(SendQueue queue, int q, long cycle) {
        if (queue.waitingCount == 0 || !started.ready(cycle) || !finisher.hasRoom() || queue.full()) {
            return false;
        }
        Wqe wqe = queue.firstWaiting();
        int index = wqe.index;
        if (wqe.opcode == WqeOpcode.NOP) {
            parts.wqes().give(queue.removeWaiting());
        } else if (WqeOpcode.isLocal(wqe.opcode) && wqe.valid && queue.qp.type != QpType.UD) {
            if (!local(queue, wqe)) {
                return false;
            }
        } else {
            WcStatus status = parser.parse(queue.qp, wqe);
            if (status != WcStatus.SUCCESS) {
                if (!queue.idle()) {
                    return false;
                }
                error(queue, queue.removeWaiting(), status);
                fail(queue);
            } else {
                long entry = Requester.admit(queue.connected(parts.spec().maxRdAtomic()), parser.work);
                if (entry < 0) {
                    return false;
                }
                parser.translate(wqe);
                queue.setInFlight(entry, queue.removeWaiting());
                if (wqe.journey != 0) {
                    queue.readyAt = Math.max(queue.readyAt, clock().edgeTime(queue.nextStart));
                }
                queue.nextStart = cycle + parts.spec().wqeIntervalCycles();
            }
        }
        started.put(cycle, queue.qp.qpn);
        if (store != null) {
            store.started(queue, q, index);
        }
        return true;
    }

    /**
     * Has the keys changed, when all earlier work is complete, or asks how far a completion queue has come. The WQE stays in front until
     * that is answered, so later work sees it.
     *
     * @return whether the WQE has ended
     */
    private boolean local(SendQueue queue, Wqe wqe) {
        LocalWork local = queue.local;
        questions.ask(queue, wqe, now());
        if (!local.isOver() || !(local.succeeded() || queue.idle())) {
            return false;
        }
        queue.removeWaiting();
        if (local.succeeded()) {
            finisher.localSuccess(queue, wqe, now());
        } else {
            error(queue, wqe, wqe.opcode == WqeOpcode.UMR ? WcStatus.MW_BIND_ERR : WcStatus.LOC_QP_OP_ERR);
            fail(queue);
        }
        local.reset();
        return true;
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
        gather.ask(slot, wqe, offset, now());
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
            return true;
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

    private void onResponse(RocePacket packet, long cycle) {
        int q = parts.table().slot(packet.destQp);
        SendQueue queue = s.queue(q);
        if (packet.opcode == Opcode.CNP.code()) {
            long before = queue.gate.notifications();
            queue.gate.notification(cycle);
            s.counters.notified(queue.gate.notifications() > before);
            s.issue.add(q);
            parts.packets().give(packet);
            return;
        }
        if (queue.failed) {
            parts.packets().give(packet);
            return;
        }
        RequesterState told = queue.requester;
        long cursorEntry = told.cursorEntry();
        int cursorPacket = told.cursorPacket();
        Requester.onResponse(told, packet, result);
        if (result.place) {
            finisher.place(queue, packet, result, now());
        }
        for (int i = 0; i < result.completed; i++) {
            finisher.success(queue, result.firstCompleted + i, now());
        }
        if (result.action == ResponseResult.Action.RETRY) {
            s.counters.retry(packet);
        } else if (told.cursorEntry() != cursorEntry || told.cursorPacket() != cursorPacket) {
            // An answer to the first try came while the second was being prepared: what is done is not sent again.
            goBack(queue, q, queue.rewoundByReceiver);
        }
        react(queue, q);
        if (result.progress || result.action != ResponseResult.Action.NONE) {
            timers.restart(queue);
        }
        if (queue.hasWork() || queue.qp.state == QpState.SQD) {
            s.ready(q, now());
        }
        parts.packets().give(packet);
    }

    /** Does what the rules ask for after an answer or a timeout. */
    private void react(SendQueue queue, int q) {
        switch (result.action) {
            case RETRY -> goBack(queue, q, false);
            case WAIT_RNR -> {
                s.counters.receiverNotReady();
                goBack(queue, q, true);
                wakeQueue.send(now() + result.rnrWaitPs, RNR_OVER, q, queue.requester.rewinds());
            }
            case FAIL -> {
                payload.flush(q);
                error(queue, queue.removeInFlight(result.failedEntry), result.status);
                queue.reported = result.failedEntry + 1;
                fail(queue);
            }
            default -> {}
        }
    }

    private void goBack(SendQueue queue, int q, boolean receiverNotReady) {
        payload.flush(q);
        queue.goBack(receiverNotReady);
    }

    private void fail(SendQueue queue) {
        stop(queue);
        parts.control().sendFailed(queue.qp);
    }

    private void stop(SendQueue queue) {
        queue.failed = true;
        queue.local.reset();
        queue.ackDeadline = AckTimers.OFF;
        queue.issueEntry = queue.reported;
    }

    private void error(SendQueue queue, Wqe wqe, WcStatus status) {
        s.counters.error(status);
        finisher.error(queue, wqe, status, now());
    }

    private boolean flush(SendQueue queue, long cycle) {
        if (!finisher.hasRoom()) {
            return false;
        }
        if (!queue.allMade()) {
            WcStatus status = queue.issueEntry == queue.broken ? WcStatus.LOC_QP_OP_ERR : WcStatus.WR_FLUSH_ERR;
            error(queue, queue.removeInFlight(queue.issueEntry++), status);
            return true;
        }
        if (queue.waitingCount > 0 && started.ready(cycle)) {
            started.put(cycle, queue.qp.qpn);
            error(queue, queue.removeWaiting(), WcStatus.WR_FLUSH_ERR);
            return true;
        }
        return false;
    }

    /** On the way to RESET: the queue is empty, and the control hears of it behind the last completion. */
    private boolean emptied(SendQueue queue) {
        if (queue.emptyAt != queue.ended || queue.waitingCount > 0 || !queue.allMade()) {
            return false;
        }
        queue.restart();
        finisher.end(queue);
        return true;
    }

    private void onSent(long notice) {
        int q = parts.table().slot(SentWord.qpn(notice));
        SendQueue queue = s.queue(q);
        if (queue.failed) {
            return; // the flush has reported it
        }
        finisher.success(queue, SentWord.entry(notice), now());
        if (queue.hasWork() || queue.qp.state == QpState.SQD) {
            s.ready(q, now());
        }
    }
}

package dev.clockwire.roce.soft;

import dev.clockwire.roce.transport.AckTimeout;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.Requester;
import dev.clockwire.roce.transport.RequesterSpec;
import dev.clockwire.roce.transport.RequesterState;
import dev.clockwire.roce.transport.ResponseResult;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.roce.wire.RocePacket;

/** The requester of a queue pair: work requests become packets, answers become data and completions. */
final class SendSide {
    private static final int PERCENT = 100;
    private static final long NEVER = Long.MAX_VALUE;

    private final SoftQueuePair qp;
    private final SoftDevice device;
    private final SoftCompletionQueue cq;
    private final SendQueue queue;
    private final RequesterState state;
    private final ResponseResult result;
    /** The next work request that gets its PSNs. */
    private long next;
    /** What is wrong with that one's local memory; it fails when all before it are complete. */
    private WcStatus refused = WcStatus.SUCCESS;

    /** An event is due when the queue has drained. */
    private boolean tellDrained;

    private long deadline = NEVER;
    /** Time of the earliest event under way that looks at the deadline. */
    private long watched = NEVER;

    SendSide(SoftQueuePair qp, SoftCompletionQueue cq, int capacity) {
        this.qp = qp;
        this.cq = cq;
        device = qp.device;
        queue = new SendQueue(capacity);
        state = new RequesterState(queue.slots());
        result = device.result();
    }

    SoftCompletionQueue cq() {
        return cq;
    }

    SendQueue queue() {
        return queue;
    }

    void connect(RequesterSpec spec) {
        state.connect(spec);
        next = queue.done();
        refused = WcStatus.SUCCESS;
    }

    void modify(RequesterSpec spec) {
        state.modify(spec);
        wake();
    }

    void reset() {
        queue.clear();
        next = 0;
        deadline = NEVER;
    }

    /** The program has announced work requests. */
    void rung(long upTo) {
        queue.ring(upTo);
        if (qp.state() == QpState.ERR || qp.state() == QpState.SQE) {
            flush();
        } else {
            wake();
        }
    }

    /** There may be something to send. */
    void wake() {
        if (queue.done() < queue.rung()) {
            device.transmitter().activate(qp);
        }
    }

    /** Sends one packet if one may be sent now. */
    boolean sendRequest() {
        if (qp.state() != QpState.RTS && qp.state() != QpState.SQD) {
            return false;
        }
        if (state.cursorEntry() == state.tail() && !admit()) {
            return false;
        }
        return Requester.canSend(state) && send();
    }

    private boolean admit() {
        if (next == queue.rung() || qp.state() != QpState.RTS || refused != WcStatus.SUCCESS) {
            return false;
        }
        SendWqe wqe = queue.get(next);
        SoftCompletionQueue after = wqe.waitCq;
        if (after != null) {
            return passes(after, wqe.waitFor) && admit();
        }
        if (wqe.work.opcode.isLocal()) {
            return local(wqe) && admit();
        }
        if (!wqe.isInline() && !wqe.sges.granted(device.keys(), qp.pd, wqe.work.opcode.needsResponse())) {
            refuse(WcStatus.LOC_PROT_ERR);
            return false;
        }
        if (wqe.work.length > maxMessage()) {
            refuse(WcStatus.LOC_LEN_ERR);
            return false;
        }
        if (Requester.admit(state, wqe.work) < 0) {
            return false;
        }
        device.transmitter().charge(device.spec().wqePs());
        next++;
        return true;
    }

    /**
     * Does a local operation, once all work before it is complete; later work waits for it.
     *
     * @return false if it has to wait, or failed
     */
    private boolean local(SendWqe wqe) {
        if (queue.done() != next) {
            return false;
        }
        next++;
        WcStatus status = wqe.local(device.keys(), qp.pd, qp.qpn());
        if (status != WcStatus.SUCCESS) {
            fail(status);
            return false;
        }
        complete(WcStatus.SUCCESS);
        return true;
    }

    /** Goes on behind a wait, once all work before it is complete and the completion queue has come so far. */
    private boolean passes(SoftCompletionQueue after, long completions) {
        if (queue.done() != next) {
            return false;
        }
        if (after.isBroken()) {
            next++;
            fail(WcStatus.LOC_QP_OP_ERR);
            return false;
        }
        if (!after.hasHad(completions, this)) {
            return false;
        }
        next++;
        complete(WcStatus.SUCCESS);
        return true;
    }

    /** Tells whether work has begun that is not complete. */
    boolean inFlight() {
        return state.head() < state.tail();
    }

    /** No new work begins; when what has begun is complete the program hears of it, if it wants to. */
    void drain(boolean notify) {
        tellDrained = notify;
        checkDrained();
    }

    private void checkDrained() {
        if (tellDrained && qp.state() == QpState.SQD && !inFlight()) {
            tellDrained = false;
            qp.raise(AsyncEventType.SQ_DRAINED);
        }
    }

    private long maxMessage() {
        return qp.type == QpType.UD
                ? device.port(1).activeMtu().bytes()
                : device.port(1).maxMessage();
    }

    /** The next work request cannot be done: it fails when those before it are complete, which may be now. */
    private void refuse(WcStatus why) {
        refused = why;
        failRefused();
    }

    private void failRefused() {
        if (refused != WcStatus.SUCCESS && queue.done() == next) {
            next++;
            fail(refused);
        }
    }

    private boolean send() {
        long entry = state.cursorEntry();
        int packet = state.cursorPacket();
        SendWqe wqe = queue.get(state.id(entry));
        RocePacket out = device.packets().take();
        long offset = Requester.fillRequest(state, entry, packet, out);
        out.flow.set(qp.type == QpType.UD ? wqe.flow : qp.flow);
        if (out.payloadLength > 0 && !gather(wqe, offset, out)) {
            device.packets().give(out);
            // The key went away in the middle of the message, which can neither go on nor be taken back.
            if (state.head() == entry) {
                fail(WcStatus.LOC_PROT_ERR);
            }
            return false;
        }
        device.transmitter().transmit(out);
        if (Requester.sent(state, entry, packet)) {
            complete(WcStatus.SUCCESS);
        }
        if (qp.type == QpType.RC && deadline == NEVER) {
            arm();
        }
        return true;
    }

    private boolean gather(SendWqe wqe, long offset, RocePacket out) {
        if (wqe.isInline()) {
            out.payload.appendBytes(wqe.inline, (int) offset, out.payloadLength);
            return true;
        }
        return wqe.sges.read(qp, qp.pd, offset, out.payloadLength, out.payload);
    }

    /** Takes an answer. */
    void onResponse(RocePacket in) {
        int rewinds = state.rewinds();
        Requester.onResponse(state, in, result);
        if (result.action == ResponseResult.Action.IGNORE) {
            device.count(SoftCounter.OLD_RESPONSE);
        }
        if (state.rewinds() != rewinds) {
            count(in);
        }
        apply(in);
    }

    private void count(RocePacket in) {
        if (result.action == ResponseResult.Action.WAIT_RNR) {
            device.count(SoftCounter.RNR_NAK);
        } else {
            boolean told = in.syndrome == Syndrome.NAK_SEQUENCE;
            device.count(told ? SoftCounter.SEQUENCE_NAK : SoftCounter.IMPLIED_NAK);
        }
    }

    private void apply(RocePacket in) {
        boolean placed = !result.place || place(in);
        for (int i = 0; i < result.completed; i++) {
            if (!placed && result.firstCompleted + i == result.placeEntry) {
                break;
            }
            complete(WcStatus.SUCCESS);
        }
        if (!placed) {
            fail(WcStatus.LOC_PROT_ERR);
        } else if (result.action == ResponseResult.Action.FAIL) {
            count(result.status);
            fail(result.status);
        } else {
            failRefused();
            followUp();
            checkDrained();
        }
    }

    private void count(WcStatus status) {
        if (status == WcStatus.REM_ACCESS_ERR) {
            device.count(SoftCounter.REMOTE_ACCESS_ERROR);
        } else if (status == WcStatus.REM_INV_REQ_ERR) {
            device.count(SoftCounter.REMOTE_INVALID_REQUEST);
        }
    }

    private void followUp() {
        if (result.action == ResponseResult.Action.WAIT_RNR) {
            deadline = device.now() + result.rnrWaitPs;
            watch();
        } else if (result.progress || result.action == ResponseResult.Action.RETRY) {
            deadline = NEVER;
            arm();
        }
        if (result.action == ResponseResult.Action.RETRY || result.progress) {
            wake();
        }
    }

    private boolean place(RocePacket in) {
        SendWqe wqe = queue.get(state.id(result.placeEntry));
        if (result.atomic) {
            return wqe.sges.writeLong(qp, qp.pd, result.original);
        }
        return wqe.sges.write(qp, qp.pd, result.placeOffset, result.placeLength, in.payload);
    }

    private void arm() {
        if (!Requester.awaitsAck(state)) {
            deadline = NEVER;
            return;
        }
        long timeout = AckTimeout.ps(qp.timeout());
        if (timeout != Long.MAX_VALUE) {
            deadline = device.now() + timeout / PERCENT * device.spec().timeoutPercent();
            watch();
        }
    }

    /** Sees to it that somebody looks at the deadline; a later deadline costs no event of its own. */
    private void watch() {
        if (deadline < watched) {
            watched = deadline;
            device.watch(deadline, qp.qpn());
        }
    }

    /** An event that looks at the deadline. */
    void look(long now) {
        if (now == watched) {
            watched = NEVER;
        }
        if (deadline > now) {
            if (deadline != NEVER) {
                watch();
            }
            return;
        }
        deadline = NEVER;
        if (state.rnrWaiting()) {
            Requester.rnrExpired(state);
            arm();
            wake();
            return;
        }
        Requester.onTimeout(state, result);
        if (result.action == ResponseResult.Action.FAIL) {
            fail(result.status);
        } else if (result.action == ResponseResult.Action.RETRY) {
            device.count(SoftCounter.TIMEOUT);
            arm();
            wake();
        }
    }

    /** Completes the oldest work request. */
    private void complete(WcStatus status) {
        long index = queue.done();
        SendWqe wqe = queue.get(index);
        queue.complete();
        if (wqe.work.signaled || status != WcStatus.SUCCESS) {
            WrOpcode opcode = wqe.work.opcode;
            WorkCompletion wc = cq.addSend(qp, index, WcOpcode.of(opcode), status);
            if (wc != null) {
                wc.wrId = wqe.wrId;
                wc.byteLength = opcode.needsResponse() && status == WcStatus.SUCCESS ? wqe.work.length : 0;
                cq.added(false, status);
            }
        }
        device.retired(qp.qpn(), index);
    }

    /** The oldest work request failed. */
    private void fail(WcStatus status) {
        device.count(SoftCounter.SEND_ERROR);
        complete(status);
        if (qp.type == QpType.RC) {
            qp.toError();
        } else {
            qp.toSendError();
        }
    }

    /** Completes everything the program has announced as flushed. */
    void flush() {
        deadline = NEVER;
        while (queue.done() < queue.rung()) {
            device.count(SoftCounter.SEND_FLUSHED);
            complete(WcStatus.WR_FLUSH_ERR);
        }
        next = queue.done();
        refused = WcStatus.SUCCESS;
    }
}

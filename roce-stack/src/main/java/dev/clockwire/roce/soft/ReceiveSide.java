package dev.clockwire.roce.soft;

import dev.clockwire.roce.soft.Answers.Answer;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.MemoryKey;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.RequestDecision;
import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.transport.Responder;
import dev.clockwire.roce.transport.ResponderEnv;
import dev.clockwire.roce.transport.ResponderSpec;
import dev.clockwire.roce.transport.ResponderState;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.WcFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import org.jspecify.annotations.Nullable;

/** The responder of a queue pair: requests become data, completions and answers. */
final class ReceiveSide implements ResponderEnv {
    private static final int NONE = -1;

    private final SoftQueuePair qp;
    private final SoftDevice device;
    private final SoftCompletionQueue cq;
    private final ReceiveQueue queue;
    private final ResponderState state = new ResponderState();
    private final RequestDecision d;
    private final Answers answers = new Answers();
    /** The receive work request in use. */
    private @Nullable ReceiveWqe held;
    /** What the newest check of a remote key found. */
    private @Nullable MemoryKey granted;
    /** An event is under way that sends an acknowledgement which is held back. */
    private boolean holding;
    /** A packet was good before: COMM_EST is over. */
    private boolean heard;

    ReceiveSide(SoftQueuePair qp, SoftCompletionQueue cq, ReceiveQueue queue) {
        this.qp = qp;
        this.cq = cq;
        this.queue = queue;
        device = qp.device;
        d = device.decision();
    }

    SoftCompletionQueue cq() {
        return cq;
    }

    ReceiveQueue queue() {
        return queue;
    }

    void connect(ResponderSpec spec) {
        state.connect(spec);
        heard = false;
    }

    void modify(ResponderSpec spec) {
        state.modify(spec);
    }

    /** What was to be answered is not any more. */
    void stopAnswering() {
        answers.clear();
    }

    void reset() {
        answers.clear();
        giveBack();
        if (!queue.isShared()) {
            queue.clear();
        }
    }

    private void giveBack() {
        ReceiveWqe wqe = held;
        if (wqe != null) {
            queue.complete(wqe);
            held = null;
        }
    }

    @Override
    public int checkRemote(int rkey, long va, long length, int access) {
        granted = device.keys().remote(qp.pd, qp.qpn(), rkey, va, length, access);
        return granted != null ? GRANTED : Syndrome.NAK_REMOTE_ACCESS;
    }

    @Override
    public boolean receiveAvailable() {
        return queue.available() > 0;
    }

    @Override
    public int receivesPosted() {
        return queue.isShared() ? -1 : queue.available() + (held == null ? 0 : 1);
    }

    @Override
    public long receiveCapacity() {
        ReceiveWqe wqe = held;
        return (wqe == null ? queue.first() : wqe).sges.total();
    }

    /** Takes a request. */
    void onRequest(RocePacket in) {
        granted = null;
        Responder.onRequest(state, in, this, d);
        if (!heard && d.action != Action.DROP && d.action != Action.NAK) {
            heard = true;
            if (qp.state() == QpState.RTR) {
                qp.raise(AsyncEventType.COMM_EST);
            }
        }
        if (d.takesReceive) {
            held = queue.take();
        }
        switch (d.action) {
            case DROP -> countDrop();
            case WRITE -> write(in);
            case SEND -> scatter(in);
            case READ, REREAD -> read();
            case ATOMIC -> atomic();
            case REPLAY_ATOMIC -> answerAtomic(d.original);
            case REACK -> device.count(SoftCounter.DUPLICATE);
            case NAK -> {}
        }
        // Placing the data may have turned the decision into a refusal.
        if (d.action == Action.NAK) {
            countRefusal();
            acknowledge();
        } else if (d.ackDue) {
            acknowledge();
        } else if (Responder.owesAck(state) && !holding) {
            holding = true;
            device.holdAck(qp.qpn());
        }
        if (d.completesReceive && d.hasInvalidate && !device.keys().invalidate(qp.pd, qp.qpn(), d.immOrKey)) {
            Responder.notInvalidated(d);
        }
        if (d.completesReceive || d.receiveStatus != WcStatus.SUCCESS) {
            complete(in);
        }
        if (d.qpError) {
            fatal();
        }
    }

    /** A request was refused for good. An event tells of it unless a failed receive does. */
    private void fatal() {
        qp.toError();
        if (d.receiveStatus == WcStatus.SUCCESS) {
            boolean access = d.syndrome == Syndrome.NAK_REMOTE_ACCESS;
            qp.raise(access ? AsyncEventType.QP_ACCESS_ERR : AsyncEventType.QP_REQ_ERR);
        }
    }

    /** Nothing came that the acknowledgement could wait for. */
    void sendOwedAck() {
        holding = false;
        if (Responder.owesAck(state) && qp.state().acceptsRequests() && answers.isEmpty()) {
            RocePacket out = packet();
            Responder.fillOwedAck(state, out);
            transmit(out);
        }
    }

    private void countDrop() {
        switch (d.drop) {
            case OUT_OF_SEQUENCE -> device.count(SoftCounter.OUT_OF_SEQUENCE);
            case DUPLICATE -> device.count(SoftCounter.DUPLICATE);
            case NO_RECEIVE -> device.count(SoftCounter.OUT_OF_BUFFER);
            case MESSAGE_LOST -> device.count(SoftCounter.MESSAGE_LOST);
            case WRONG_SERVICE -> device.count(SoftCounter.BAD_QP);
            case INVALID, ACCESS -> device.count(SoftCounter.INVALID);
            case NONE -> {}
        }
    }

    private void countRefusal() {
        if (Syndrome.isRnr(d.syndrome)) {
            device.count(SoftCounter.OUT_OF_BUFFER);
        } else if (d.syndrome == Syndrome.NAK_SEQUENCE) {
            device.count(SoftCounter.OUT_OF_SEQUENCE);
        } else if (d.syndrome == Syndrome.NAK_REMOTE_ACCESS) {
            device.count(SoftCounter.ACCESS_REFUSED);
        } else {
            device.count(SoftCounter.INVALID_REFUSED);
        }
        if (d.receiveStatus == WcStatus.LOC_LEN_ERR) {
            device.count(SoftCounter.LENGTH_ERROR);
        }
    }

    private void write(RocePacket in) {
        if (Opcode.of(in.opcode).startsMessage()) {
            device.count(SoftCounter.WRITE_REQUEST);
        }
        if (d.length == 0) {
            return;
        }
        MemoryKey key = granted;
        if (key == null) {
            key = device.keys().remote(qp.pd, qp.qpn(), d.rkey, d.va, d.length, AccessFlag.REMOTE_WRITE.code());
        }
        if (key == null) {
            Responder.refuse(state, d, Syndrome.NAK_REMOTE_ACCESS);
        } else {
            long user = qp.peer(key.key());
            qp.memory.write(user, device.now(), key.translate(d.va), in.payload, 0, (int) d.length);
        }
    }

    private void scatter(RocePacket in) {
        ReceiveWqe wqe = held;
        if (wqe != null && d.offset == Responder.GRH_BYTES && qp.type == QpType.UD) {
            wqe.sges.write(qp, qp.pd, 0, Responder.GRH_BYTES, device.grhOf(in));
        }
        boolean good = wqe != null
                && (!Opcode.of(in.opcode).startsMessage() || wqe.sges.granted(device.keys(), queue.pd, true))
                && wqe.sges.write(qp, queue.pd, d.offset, (int) d.length, in.payload);
        if (!good) {
            Responder.refuse(state, d, Syndrome.NAK_REMOTE_OPERATION);
            d.receiveStatus = WcStatus.LOC_PROT_ERR;
        }
    }

    private void read() {
        device.count(d.action == Action.READ ? SoftCounter.READ_REQUEST : SoftCounter.DUPLICATE);
        if (answers.isFull()) {
            Responder.answered(state, d.resource, d.psn);
            return;
        }
        Answer answer = answers.add();
        answer.kind = Answers.READ;
        answer.resource = d.action == Action.READ ? d.resource : NONE;
        answer.syndrome = d.syndrome;
        answer.psn = d.ackPsn;
        answer.msn = d.msn;
        answer.va = d.va;
        answer.rkey = d.rkey;
        answer.length = d.length;
        answer.next = 0;
        answer.end = d.responses;
        device.transmitter().activate(qp);
    }

    private void atomic() {
        device.count(SoftCounter.ATOMIC_REQUEST);
        MemoryKey key = granted;
        if (key == null) {
            return;
        }
        long at = key.translate(d.va);
        long user = qp.peer(d.rkey);
        long before = qp.memory.getLong(user, device.now(), at);
        if (!d.compareSwap || before == d.compare) {
            qp.memory.putLong(user, device.now(), at, d.compareSwap ? d.swapAdd : before + d.swapAdd);
        }
        Responder.atomicDone(state, d.resource, d.psn, before);
        answerAtomic(before);
    }

    private void answerAtomic(long original) {
        if (d.action == Action.REPLAY_ATOMIC) {
            device.count(SoftCounter.DUPLICATE);
        }
        if (answers.isEmpty()) {
            RocePacket out = packet();
            Responder.fillAtomicAck(state, d.ackPsn, d.syndrome, d.msn, original, out);
            transmit(out);
        } else if (!answers.isFull()) {
            Answer answer = answers.add();
            answer.kind = Answers.ATOMIC;
            answer.syndrome = d.syndrome;
            answer.psn = d.ackPsn;
            answer.msn = d.msn;
            answer.original = original;
        }
    }

    private void acknowledge() {
        if (answers.isEmpty()) {
            RocePacket out = packet();
            Responder.fillAck(state, d.ackPsn, d.syndrome, d.msn, out);
            transmit(out);
        } else if (!answers.isFull()) {
            Answer answer = answers.add();
            answer.kind = Answers.ACK;
            answer.psn = d.ackPsn;
            answer.syndrome = d.syndrome;
            answer.msn = d.msn;
        }
    }

    private RocePacket packet() {
        return device.packets().take();
    }

    private void transmit(RocePacket out) {
        out.flow.set(qp.flow);
        device.transmitter().transmit(out);
    }

    /** Sends the next packet of what is to be answered, if there is something. */
    boolean sendAnswer() {
        if (answers.isEmpty()) {
            return false;
        }
        Answer answer = answers.first();
        RocePacket out = packet();
        boolean last = true;
        switch (answer.kind) {
            case Answers.ACK -> Responder.fillAck(state, answer.psn, answer.syndrome, answer.msn, out);
            case Answers.ATOMIC ->
                Responder.fillAtomicAck(state, answer.psn, answer.syndrome, answer.msn, answer.original, out);
            default -> last = readResponse(answer, out);
        }
        if (last) {
            answers.remove();
        }
        transmit(out);
        return true;
    }

    /** Makes one response of a READ; a key that went away meanwhile ends it with a refusal. */
    private boolean readResponse(Answer answer, RocePacket out) {
        long offset = Responder.fillReadResponse(
                state, answer.psn, answer.length, answer.next, answer.syndrome, answer.msn, out);
        if (out.payloadLength > 0) {
            long va = answer.va + offset;
            MemoryKey key = device.keys()
                    .remote(qp.pd, qp.qpn(), answer.rkey, va, out.payloadLength, AccessFlag.REMOTE_READ.code());
            if (key == null) {
                Responder.fillAck(state, out.psn, Syndrome.NAK_REMOTE_ACCESS, answer.msn, out);
                device.count(SoftCounter.ACCESS_REFUSED);
                qp.toError();
                qp.raise(AsyncEventType.QP_ACCESS_ERR);
                return true;
            }
            long user = qp.peer(answer.rkey);
            qp.memory.read(user, device.now(), key.translate(va), out.payloadLength, out.payload);
        }
        boolean last = ++answer.next == answer.end;
        if (last && answer.resource != NONE) {
            Responder.answered(state, answer.resource, answer.psn);
        }
        return last;
    }

    private void complete(RocePacket in) {
        ReceiveWqe wqe = held;
        if (wqe == null) {
            return;
        }
        held = null;
        if (d.receiveStatus != WcStatus.SUCCESS) {
            device.count(SoftCounter.RECEIVE_ERROR);
        }
        WcOpcode opcode = d.receiveOfWrite ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV;
        WorkCompletion wc = cq.addReceive(qp, queue, opcode, d.receiveStatus);
        if (wc != null) {
            wc.wrId = wqe.wrId;
            wc.byteLength = d.byteLength;
            wc.immOrKey = d.immOrKey;
            wc.srcQp = in.srcQp;
            wc.flags = d.hasImm ? WcFlag.WITH_IMM.code() : d.hasInvalidate ? WcFlag.WITH_INV.code() : 0;
            wc.flags |= qp.type == QpType.UD ? WcFlag.GRH.code() : 0;
            cq.added(d.solicited, d.receiveStatus);
        }
        queue.complete(wqe);
    }

    /** Completes everything the program has announced as flushed. */
    void flush() {
        ReceiveWqe wqe = held;
        if (wqe != null) {
            held = null;
            flushed(wqe);
        }
        if (queue.isShared()) {
            qp.raise(AsyncEventType.QP_LAST_WQE_REACHED);
            return;
        }
        while (queue.available() > 0) {
            flushed(queue.take());
        }
    }

    private void flushed(ReceiveWqe wqe) {
        device.count(SoftCounter.RECEIVE_FLUSHED);
        WorkCompletion wc = cq.addReceive(qp, queue, WcOpcode.RECV, WcStatus.WR_FLUSH_ERR);
        if (wc != null) {
            wc.wrId = wqe.wrId;
            cq.added(false, WcStatus.WR_FLUSH_ERR);
        }
        queue.complete(wqe);
    }
}

package dev.clockwire.roce.soft;

import dev.clockwire.roce.transport.QpAttr;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.RequesterSpec;
import dev.clockwire.roce.transport.ResponderSpec;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueueProvider;
import dev.clockwire.roce.verbs.DeviceLife;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePairProvider;
import dev.clockwire.roce.verbs.ReceiveEntry;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.MemorySanitizer;
import dev.clockwire.sim.mem.MemoryUser;

/** A queue pair: what the verbs ask of it, its state, and its two sides. */
final class SoftQueuePair implements QueuePairProvider {
    private static final long MOST_AHEAD = 1L << 30;

    final SoftDevice device;
    final int pd;
    final QpType type;
    final AddressSpace memory;
    /** Addresses of what this queue pair sends; of UD each work request has its own. */
    final FlowAddress flow = new FlowAddress();

    final SendSide sends;
    final ReceiveSide receives;
    /** Whether the transmitter has it in its list. */
    boolean active;

    private final SoftContext context;
    /** By which number memory knows the device. */
    private final int memoryDevice;

    private final int qpn;
    private final QpInit init;
    private final Cpu cpu;
    private QpState state = QpState.RESET;
    private int qkey;
    private int timeout;

    SoftQueuePair(
            SoftContext context, int qpn, int pd, QpInit init, SoftCompletionQueue sendCq, SoftCompletionQueue recvCq) {
        this.context = context;
        device = context.device();
        this.qpn = qpn;
        this.pd = pd;
        this.init = init;
        cpu = context.cpu();
        type = init.type();
        memory = cpu.memory();
        MemorySanitizer sanitizer = memory.sanitizer();
        memoryDevice = sanitizer == null ? 0 : sanitizer.device(device.name(), device.path());
        sends = new SendSide(this, sendCq, init.capabilities().maxSendWr());
        receives = new ReceiveSide(this, recvCq, receiveQueue(init, pd));
    }

    private static ReceiveQueue receiveQueue(QpInit init, int pd) {
        SharedReceiveQueue srq = init.srq();
        if (srq == null) {
            return new ReceiveQueue(init.capabilities().maxRecvWr(), pd, null);
        }
        if (srq.provider() instanceof SoftSharedQueue shared) {
            return shared.queue();
        }
        throw new VerbsException(Errno.EINVAL, "create_qp", "the shared receive queue belongs to another device");
    }

    /** Returns whom memory is accessed for by a work request. */
    long worker(int lkey) {
        return MemoryUser.work(memoryDevice, qpn, lkey);
    }

    /** Returns whom memory is accessed for by the peer. */
    long peer(int rkey) {
        return MemoryUser.peer(memoryDevice, qpn, rkey);
    }

    /** Something happened to this queue pair beside its completions. */
    void raise(AsyncEventType type) {
        context.raise(type, qpn);
    }

    @Override
    public boolean sqDraining() {
        return state == QpState.SQD && sends.inFlight();
    }

    @Override
    public int qpn() {
        return qpn;
    }

    @Override
    public QpState state() {
        return state;
    }

    int qkey() {
        return qkey;
    }

    int timeout() {
        return timeout;
    }

    boolean usesCq(int cqn) {
        return sends.cq().number() == cqn || receives.cq().number() == cqn;
    }

    @Override
    public void modify(QpState to, QpAttributes change, QpAttributes all, Completion<QpState> done) {
        device.command(() -> {
            if (context.isLost() && to != QpState.RESET && to != QpState.ERR) {
                done.fail(DeviceLife.lost("modify_qp", device.name()));
                return;
            }
            AddressVector vector = change.addressVector();
            if (vector != null && !device.resolve(vector, qpn, all.destQpn(), flow)) {
                done.fail(new VerbsException(Errno.ETIMEDOUT, "modify_qp", "nobody has the address " + vector.dgid()));
                return;
            }
            apply(to, change, all);
            done.complete(to);
        });
    }

    private void apply(QpState to, QpAttributes change, QpAttributes all) {
        Mtu portMtu = device.port(1).activeMtu();
        qkey = all.qkey();
        timeout = all.timeout();
        QpState from = state;
        state = to;
        if (to == QpState.RESET) {
            reset();
        } else if (to == QpState.ERR) {
            receives.stopAnswering();
            toError();
        } else if (to == QpState.RTR) {
            receives.connect(responder(all, portMtu));
        } else if (to == QpState.RTS || to == QpState.SQD) {
            RequesterSpec spec = all.requester(type, qpn, RocePacket.DEFAULT_PKEY, portMtu)
                    .withAckInterval(device.spec().ackInterval())
                    .withCredits(device.spec().credits());
            if (from == QpState.RTR) {
                sends.connect(spec);
            } else {
                sends.modify(spec);
            }
            if (to == QpState.SQD && from != QpState.SQD) {
                sends.drain(change.has(QpAttr.EN_SQD_ASYNC_NOTIFY) && change.sqdAsyncNotify());
            }
            if (change.has(QpAttr.ACCESS_FLAGS)
                    || change.has(QpAttr.MIN_RNR_TIMER)
                    || change.has(QpAttr.MAX_DEST_RD_ATOMIC)) {
                receives.modify(responder(all, portMtu));
            }
        }
    }

    private ResponderSpec responder(QpAttributes all, Mtu portMtu) {
        return all.responder(type, RocePacket.DEFAULT_PKEY, portMtu)
                .withAckEveryDuplicate(device.spec().ackEveryDuplicate())
                .withAckEvery(device.spec().ackEvery())
                .withCredits(device.spec().credits())
                .withRefuseExcess(device.spec().refuseExcessReads());
    }

    private void reset() {
        sends.reset();
        receives.reset();
        sends.cq().purge(this);
        receives.cq().purge(this);
    }

    /** Goes to ERR: whatever was posted is flushed. */
    void toError() {
        state = QpState.ERR;
        sends.flush();
        receives.flush();
    }

    /** An unreliable send failed: sends are flushed, receives go on. */
    void toSendError() {
        state = QpState.SQE;
        sends.flush();
    }

    /** Sends one packet if there is one to send: answers go first. */
    boolean sendNext() {
        return receives.sendAnswer() || sends.sendRequest();
    }

    /** Up to this send everything has been polled. */
    void polled(long index) {
        sends.queue().free(index);
    }

    @Override
    public int sendSpace() {
        return sends.queue().space();
    }

    @Override
    public int receiveSpace() {
        return receives.queue().space();
    }

    @Override
    public void postSend(SendEntry wr) {
        cpu.charge(HostCost.POST, 1);
        sends.queue().post(wr, memory);
        if (wr.has(SendFlag.INLINE)) {
            cpu.charge(HostCost.COPY_BYTE, wr.sges().totalLength());
        }
    }

    @Override
    public void postWait(long wrId, CompletionQueueProvider cq, long completions) {
        if (!(cq instanceof SoftCompletionQueue own) || !own.isOf(device)) {
            throw new VerbsException(Errno.EINVAL, "post_wait", "CQ " + cq.number() + " is of another device");
        }
        if (completions < 1 || completions > own.polled() + MOST_AHEAD) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "post_wait",
                    completions + " completions, of which " + own.polled() + " were polled: must be 1.."
                            + (own.polled() + MOST_AHEAD));
        }
        cpu.charge(HostCost.POST, 1);
        sends.queue().postWait(wrId, own, completions);
    }

    @Override
    public void ringSend() {
        cpu.charge(HostCost.MMIO_WRITE, 1);
        device.doorbell(cpu.now(), SoftDevice.SEND, qpn, sends.queue().posted());
    }

    @Override
    public void postReceive(ReceiveEntry wr) {
        cpu.charge(HostCost.POST, 1);
        receives.queue().post(wr);
    }

    @Override
    public void ringReceive() {
        // As with hardware: a count in memory, which the device looks at when it needs a receive.
        receives.queue().ring();
        if (state == QpState.ERR) {
            device.doorbell(cpu.now(), SoftDevice.RECEIVE, qpn, 0);
        }
    }

    @Override
    public void destroy(Completion<Integer> done) {
        device.command(() -> {
            state = QpState.RESET;
            reset();
            device.removed(this);
            done.complete(qpn);
        });
    }

    @Override
    public String toString() {
        return init.type() + " 0x" + Integer.toHexString(qpn) + " " + state;
    }
}

package dev.clockwire.nic.driver;

import dev.clockwire.nic.context.OffloadQueue;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.format.WqeWriter;
import dev.clockwire.nic.offload.NvmeOffload;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.nic.profile.QueueSpec;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.roce.transport.QpAttr;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.RequesterSpec;
import dev.clockwire.roce.transport.ResponderSpec;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AddressHandle;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueueProvider;
import dev.clockwire.roce.verbs.DeviceLife;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.MwBind;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QpSchedule;
import dev.clockwire.roce.verbs.QueuePairProvider;
import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.roce.verbs.ReceiveEntry;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.SgeList;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.host.HostCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** A queue pair: builds WQEs in the rings and rings the doorbell. */
final class HwQueuePair implements QueuePairProvider {
    /** Attributes that the engines of a running queue pair must hear of. */
    private static final int RUNNING = QpAttr.mask(
            QpAttr.ACCESS_FLAGS,
            QpAttr.MIN_RNR_TIMER,
            QpAttr.RETRY_CNT,
            QpAttr.RNR_RETRY,
            QpAttr.MAX_QP_RD_ATOMIC,
            QpAttr.MAX_DEST_RD_ATOMIC,
            QpAttr.QKEY);

    /** Most completions that a WAIT may look ahead, what was not polled included: half of what 32 bits tell apart, and half again. */
    private static final long MAX_WAIT = 1L << 30;

    private static final int WAIT_BYTES = 32;

    private final HwDevice device;
    private final HwContext owner;
    private final QpContext context;
    private final SendRing sends;
    private final ReceiveRing receives;
    private final QpInit init;
    private final Cpu cpu;
    private final Consumer<AsyncEvent> events;
    private final HwCompletionQueue sendQueue;
    private final HwCompletionQueue receiveQueue;
    private final WqeWriter writer = new WqeWriter();
    /** Journeys of WQEs written since the last doorbell, with the time each was begun. */
    private final long[] journeys = new long[256];

    private final long[] begun = new long[256];
    private int pending;
    /** What waits for both queues to be empty. */
    private final List<Runnable> afterReset = new ArrayList<>();

    HwQueuePair(
            HwDevice device,
            HwContext owner,
            QpContext context,
            SendRing sends,
            ReceiveRing receives,
            QpInit init,
            Cpu cpu,
            Consumer<AsyncEvent> events,
            HwCompletionQueue sendQueue,
            HwCompletionQueue receiveQueue) {
        this.events = events;
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.device = device;
        this.owner = owner;
        this.context = context;
        this.sends = sends;
        this.receives = receives;
        this.init = init;
        this.cpu = cpu;
    }

    /** Tells the program, in a step of its core, of what happened beside the completions. */
    void happened(AsyncEventType type) {
        cpu.charge(HostCost.INTERRUPT, 1);
        events.accept(new AsyncEvent(type, context.qpn));
        cpu.wake();
    }

    QpContext context() {
        return context;
    }

    SendRing sendRing() {
        return sends;
    }

    ReceiveRing receiveRing() {
        return receives;
    }

    @Override
    public int qpn() {
        return context.qpn;
    }

    @Override
    public QpState state() {
        return context.resetting ? QpState.RESET : context.state;
    }

    @Override
    public void modify(QpState to, QpAttributes change, QpAttributes all, Completion<QpState> done) {
        device.commands().submit(() -> {
            if (owner.isLost() && to != QpState.RESET && to != QpState.ERR) {
                done.fail(DeviceLife.lost("modify_qp", device.name()));
                return;
            }
            if (to == QpState.RESET && state() != QpState.RESET) {
                pace(RateLimit.NONE);
                share(QpSchedule.USUAL);
                reset(done);
                return;
            }
            AddressVector vector = change.addressVector();
            if (vector != null && !device.resolve(vector, context.qpn, all.destQpn(), context.flow)) {
                done.fail(new VerbsException(Errno.ETIMEDOUT, "modify_qp", "nobody has the address " + vector.dgid()));
                return;
            }
            apply(to, change, all);
            done.complete(to);
        });
    }

    @Override
    public void limitRate(RateLimit limit, Completion<RateLimit> done) {
        device.commands().submit(() -> {
            long packet = context.mtu + (long) device.nic().spec().rate().packetOverhead();
            long burst = limit.maxBurstBytes();
            if (limit.kbps() != 0 && burst != 0 && burst < packet) {
                done.fail(new VerbsException(
                        Errno.EINVAL,
                        "modify_qp",
                        "max_burst_sz " + burst + ": a bucket holds at least one packet, which is charged " + packet
                                + " bytes"));
                return;
            }
            pace(limit);
            done.complete(limit);
        });
    }

    private void pace(RateLimit limit) {
        long burst = limit.maxBurstBytes() == 0 ? TokenBucketSpec.RESET_BURST : limit.maxBurstBytes();
        context.rate = limit.kbps() == 0
                ? TokenBucketSpec.reset()
                : TokenBucketSpec.of(limit.bitsPerSecond(), device.nic().spec().coreMhz() * 1_000_000L, burst);
        device.nic().registers().rates().show(context.uar, context.rate);
        device.nic().paced(context);
    }

    @Override
    public void schedule(QpSchedule share, Completion<QpSchedule> done) {
        if (device.nic().spec().queues().policy() == QueueSpec.Policy.RR) {
            QueuePairProvider.super.schedule(share, done);
            return;
        }
        device.commands().submit(() -> {
            share(share);
            done.complete(share);
        });
    }

    private void share(QpSchedule share) {
        context.priority = share.priority();
        context.weight = share.weight();
    }

    /**
     * Empties both queues, in the device and here. The device says when that is done behind the last completion it writes, so all
     * that had completed and was not polled is here by then, and is taken off the completion queues.
     */
    private void reset(Completion<QpState> done) {
        afterReset.add(() -> done.complete(QpState.RESET));
        if (!context.resetting) {
            NvmeOffload offload = device.nic().offload();
            boolean own = context.offload == null || offload == null;
            device.nic()
                    .reset(
                            context,
                            own
                                    ? sends.posted()
                                    : Objects.requireNonNull(offload).posted(context));
        }
    }

    /** The device has emptied both queues. */
    void wasReset() {
        NvmeOffload offload = device.nic().offload();
        if (context.offload != null && offload != null) {
            sends.own(offload.posted(context));
            context.offload = null;
            offload.control().send(device.nic().now() + 1, NvmeOffload.RELEASE, context.slot, 0);
        }
        sends.reset();
        if (init.srq() == null) {
            receives.reset();
        }
        sendQueue.clean(this);
        receiveQueue.clean(this);
        List<Runnable> ended = List.copyOf(afterReset);
        afterReset.clear();
        ended.forEach(Runnable::run);
    }

    private void apply(QpState to, QpAttributes change, QpAttributes all) {
        Mtu portMtu = device.port(1).activeMtu();
        context.qkey = all.qkey();
        context.mtu = (context.type == QpType.UD ? portMtu : all.pathMtu()).bytes();
        context.ackTimeoutPs =
                context.type == QpType.RC ? device.nic().spec().ackTimeoutPs(all.timeout()) : Long.MAX_VALUE;
        boolean changed = context.state != to;
        context.state = to;
        if (changed && to == QpState.RTR) {
            context.responder = responder(all, portMtu);
            device.nic().prime(context);
        } else if (changed && to == QpState.RTS && context.requester == null) {
            context.requester = requester(all, portMtu);
        } else if (changed && to == QpState.SQD) {
            context.draining = true;
            context.drainEvent = change.has(QpAttr.EN_SQD_ASYNC_NOTIFY) && change.sqdAsyncNotify();
            device.nic().drain(context);
        } else if (to == QpState.RTS || to == QpState.SQD) {
            modifyRunning(change, all, portMtu);
            if (changed) {
                device.nic().resumeSends(context);
            }
        } else if (to == QpState.ERR) {
            device.nic().toError(context);
        }
    }

    /** Hands new attributes to the engines of a queue pair that is at work. */
    private void modifyRunning(QpAttributes change, QpAttributes all, Mtu portMtu) {
        if ((change.mask() & RUNNING) != 0) {
            context.requester = requester(all, portMtu);
            context.responder = responder(all, portMtu);
            device.nic().modified(context);
        }
    }

    private RequesterSpec requester(QpAttributes all, Mtu portMtu) {
        return all.requester(context.type, context.qpn, RocePacket.DEFAULT_PKEY, portMtu)
                .withCredits(device.nic().spec().credits());
    }

    private ResponderSpec responder(QpAttributes all, Mtu portMtu) {
        NicSpec spec = device.nic().spec();
        return all.responder(context.type, RocePacket.DEFAULT_PKEY, portMtu)
                .withCredits(spec.credits())
                .withRefuseExcess(spec.refuseExcessReads());
    }

    @Override
    public boolean sqDraining() {
        return context.state == QpState.SQD && context.draining;
    }

    @Override
    public int sendSpace() {
        return init.capabilities().maxSendWr() - sends.outstanding();
    }

    @Override
    public int receiveSpace() {
        return Math.min(receives.space(), init.capabilities().maxRecvWr());
    }

    @Override
    public void postSend(SendEntry wr) {
        long start = cpu.now();
        cpu.charge(HostCost.POST, 1);
        boolean inline = wr.has(SendFlag.INLINE);
        OffloadQueue marked = context.offload;
        if (marked != null && marked.software() != null) {
            sends.share(device.nic().offloadStores());
        }
        if (!sends.takes(bytes(wr, inline))) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "post_send",
                    "a work request of " + bytes(wr, inline) + " bytes on QP 0x" + Integer.toHexString(context.qpn)
                            + ", which the NVMe-oF offload shares: must be at most " + Wqe.BLOCK);
        }
        long block = sends.place(bytes(wr, inline));
        if (block < 0) {
            throw new InvariantViolation("QP " + context.qpn, -1, "the send ring is smaller than its work requests");
        }
        boolean signaled = init.signalAll() || wr.has(SendFlag.SIGNALED);
        writer.begin(
                Translate.wqeOpcode(wr.opcode),
                (int) block,
                context.qpn,
                signaled,
                wr.has(SendFlag.SOLICITED),
                wr.has(SendFlag.FENCE),
                wr.immOrKey);
        segments(wr, inline);
        int bytes = writer.finish();
        sends.write(cpu, writer, bytes, wr.wrId);
        follow(block, bytes, start);
    }

    @Override
    public void postWait(long wrId, CompletionQueueProvider cq, long completions) {
        if (!(cq instanceof HwCompletionQueue queue) || !queue.isOf(device)) {
            throw new VerbsException(Errno.EINVAL, "post_wait", "CQ " + cq.number() + " is of another device");
        }
        long polled = queue.polledInAll();
        if (completions < 1 || completions > polled + MAX_WAIT) {
            String most = polled + MAX_WAIT + ", of which " + polled + " were polled";
            throw new VerbsException(
                    Errno.EINVAL,
                    "post_wait",
                    completions + " completions: must be 1.." + most + " (the device has 32 bits)");
        }
        crossChannel(WqeOpcode.WAIT, wrId, queue.number(), Math.max(completions, polled));
    }

    @Override
    public void postEnable(long wrId, QueuePairProvider other, int count) {
        if (!(other instanceof HwQueuePair queue) || queue.device != device) {
            throw new VerbsException(
                    Errno.EINVAL, "post_enable", "QP 0x" + Integer.toHexString(other.qpn()) + " is of another device");
        }
        int held = queue.sends.held();
        if (count < 1 || count > held) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "post_enable",
                    count + " sends: must be 1.." + held + ", what is posted and not released");
        }
        crossChannel(WqeOpcode.SEND_EN, wrId, queue.qpn(), queue.sends.release(count));
    }

    private void crossChannel(int opcode, long wrId, int number, long index) {
        cpu.charge(HostCost.POST, 1);
        long block = sends.place(WAIT_BYTES);
        if (block < 0) {
            throw new InvariantViolation("QP " + context.qpn, -1, "the send ring is smaller than its work requests");
        }
        writer.begin(opcode, (int) block, context.qpn, false, false, false, 0);
        writer.waitFor(number, index);
        sends.write(cpu, writer, writer.finish(), wrId);
        context.journeys[(int) block & context.journeys.length - 1] = 0;
    }

    /** Only the first block of a WQE has a journey. */
    private void follow(long block, int bytes, long start) {
        OffloadQueue marked = context.offload;
        long journey = marked == null ? device.nic().parts().journal().nextJourney() : 0;
        int mask = context.journeys.length - 1;
        for (int more = Wqe.BLOCK; journey != 0 && more < bytes; more += Wqe.BLOCK) {
            context.journeys[(int) block + more / Wqe.BLOCK & mask] = 0;
        }
        context.journeys[(int) block & mask] = journey;
        if (journey != 0 && pending < journeys.length) {
            journeys[pending] = journey;
            begun[pending++] = start;
        }
    }

    private int bytes(SendEntry wr, boolean inline) {
        int head = 16 + (context.type == QpType.UD ? 48 : 0);
        if (wr.opcode.isAtomic()) {
            head += 32;
        } else if (wr.opcode == WrOpcode.BIND_MW) {
            head += 32;
        } else if (wr.opcode.isRead() || isWrite(wr.opcode)) {
            head += 16;
        }
        int data = inline
                ? (int) (4 + wr.sges().totalLength() + 15) & ~15
                : 16 * wr.sges().count();
        return head + data;
    }

    private static boolean isWrite(WrOpcode opcode) {
        return opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    private void segments(SendEntry wr, boolean inline) {
        if (context.type == QpType.UD) {
            AddressHandle ah = Objects.requireNonNull(wr.ah);
            int qkey = wr.remoteQkey < 0 ? context.qkey : wr.remoteQkey;
            writer.datagram(qkey, wr.remoteQpn, ah.flow());
        }
        MwBind bind = wr.bind;
        if (bind != null) {
            MemoryRegion region = bind.region();
            writer.window(wr.rkey, region.lkey(), bind.address(), bind.length(), bind.accessMask());
        }
        if (isWrite(wr.opcode) || wr.opcode.needsResponse()) {
            writer.remoteAddress(wr.remoteAddress, wr.rkey);
        }
        if (wr.opcode.isAtomic()) {
            writer.atomic(wr.swapAdd, wr.compare);
        }
        SgeList sges = wr.sges();
        if (!inline) {
            for (int i = 0; i < sges.count(); i++) {
                if (sges.length(i) > 0) {
                    writer.data(sges.address(i), sges.length(i), sges.lkey(i));
                }
            }
            return;
        }
        int at = writer.inline((int) sges.totalLength());
        for (int i = 0; i < sges.count(); i++) {
            int n = (int) sges.length(i);
            cpu.memory().getBytes(sges.address(i), writer.bytes(), at, n);
            at += n;
        }
        cpu.charge(HostCost.COPY_BYTE, sges.totalLength());
    }

    @Override
    public void ringSend() {
        Journal journal = device.nic().parts().journal();
        journal.storesFor(cpu, pending == 0 ? 0 : journeys[pending - 1]);
        sends.ring(cpu);
        journal.storesFor(cpu, 0);
        for (int i = 0; i < pending; i++) {
            journal.stamp(journeys[i], journal.post, context.qpn, begun[i], cpu.now());
            journal.coreDelays(cpu, journeys[i], journal.post, begun[i]);
            journal.storeDelays(cpu, journeys[i], device.nic().doorbell(context));
        }
        pending = 0;
    }

    @Override
    public void postReceive(ReceiveEntry wr) {
        cpu.charge(HostCost.POST, 1);
        SgeList sges = wr.sges();
        receives.post(cpu, sges, wr.wrId);
    }

    @Override
    public void ringReceive() {
        receives.ring(cpu);
        if (context.state == QpState.ERR) {
            device.nic().flushReceives(context);
        }
    }

    @Override
    public void destroy(Completion<Integer> done) {
        device.commands().submit(() -> {
            context.closed = true;
            Completion<QpState> emptied = new Completion<>();
            emptied.whenDone(state -> {
                sendQueue.detach(this);
                receiveQueue.detach(this);
                device.events().remove(this);
                device.nic().parts().table().freeUar(context);
                done.complete(context.qpn);
            });
            reset(emptied);
        });
    }
}

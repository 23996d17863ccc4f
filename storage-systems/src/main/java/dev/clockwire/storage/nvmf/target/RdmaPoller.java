package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Device;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.ReceiveEntry;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.PollerState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a poll group has of an RDMA device: a completion queue, receives, and the queues of hosts. One poll takes up to
 * {@value #BATCH} completions, goes on with whatever waits, and hands to the device what was posted meanwhile. It counts as busy by the
 * responses that have left, as SPDK's does: a poll that found commands only is idle.
 */
final class RdmaPoller {
    /** Completions that one poll takes. */
    static final int BATCH = 32;

    static final long RECEIVE = 1L << 32;
    static final long SEND = 2L << 32;
    static final long DATA = 3L << 32;
    /** Receives of a queue that the NIC shares; their buffers go back to the NIC. */
    private static final long SHARED = 4L << 32;

    private static final int TYPE_SHIFT = 32;

    private final RdmaTransport transport;
    private final NvmfTarget target;
    private final PollGroup group;
    private final TransportSpec limits;
    private final PollerDevice device;
    private final String name;
    private final WorkCompletion[] wc = WorkCompletion.array(BATCH);
    private final QpairTable byNumber = new QpairTable();
    private final List<RdmaQpair> qpairs = new ArrayList<>();
    private final List<RdmaQpair> dirty = new ArrayList<>();
    private final List<PendingAbort> aborts = new ArrayList<>();
    private final ReceiveBatch shared = new ReceiveBatch(BATCH, 2);
    private final ReceiveBatch own = new ReceiveBatch(1, 2);
    private final PollerCounters counters = new PollerCounters();
    private final RdmaFlow flow;
    private final Poller poller;
    private final @Nullable TargetOffload offload;
    private int closing;
    private long pollStart;
    private int sent;
    private boolean ready;

    /** An abort that waits for a command which is moving data. */
    private record PendingAbort(RdmaQpair q, int cid, NvmfRequest by, long untilPs) {}

    RdmaPoller(RdmaTransport transport, PollGroup group, Device device) {
        this.transport = transport;
        this.group = group;
        target = transport.target();
        limits = target.limits();
        this.device = new PollerDevice(transport, device, group.thread(), limits);
        name = device.name();
        offload = target.offload(device);
        flow = new RdmaFlow(this);
        poller = group.thread().poller("nvmf_rdma_" + name, this::poll);
    }

    NvmfTarget target() {
        return target;
    }

    PollGroup group() {
        return group;
    }

    PollerCounters counters() {
        return counters;
    }

    BufferPool buffers() {
        return transport.buffers();
    }

    boolean isReady() {
        return ready;
    }

    PollGroupStats.DeviceStats stats() {
        return counters.read(name, poller.runCount());
    }

    RdmaResources resources(RdmaQpair q) {
        RdmaResources r = q.resources;
        if (r == null) {
            throw new InvariantViolation("a queue has no resources yet");
        }
        return r;
    }

    /** Makes what the poller needs; then it polls. */
    void open() {
        device.open(this::begin);
    }

    /** Makes it all anew, of a device that is back; its queues are gone. */
    void reopen() {
        ready = false;
        device.reopen(this::begin);
    }

    /** Whether a queue pair is being destroyed. */
    boolean isClosing() {
        return closing > 0;
    }

    boolean isOf(Device which) {
        return device.device() == which;
    }

    private void begin() {
        int rc = group.thread().sendMsg(transport.pollerReady(), transport.number(this), 0);
        if (rc != 0) {
            throw new InvariantViolation("no message to begin with");
        }
    }

    /** All is there: on the thread. */
    void start() {
        RdmaResources all = device.common();
        SharedReceiveQueue queue = device.srq();
        if (all != null && queue != null) {
            shared.clear();
            for (int i = 0; i < all.depth(); i++) {
                post(all, i);
            }
            flushShared(queue);
        }
        if (poller.state() == PollerState.UNREGISTERED) {
            poller.register(0);
        }
        ready = true;
    }

    private ReceiveEntry post(RdmaResources all, int slot) {
        ReceiveEntry wr = shared.add();
        wr.wrId = RECEIVE | slot;
        all.fill(wr, slot);
        return wr;
    }

    private void flushShared(SharedReceiveQueue queue) {
        if (shared.size() > 0) {
            counters.totalRecvWrs += shared.size();
            counters.recvDoorbells++;
            queue.postReceive(shared);
            shared.clear();
        }
    }

    private int poll(Poller self) {
        CompletionQueue queue = device.cq();
        pollStart = self.cpu().now() - self.cpu().stepPs();
        sent = 0;
        int n = queue.poll(wc);
        counters.completions += n;
        counters.busyPolls += n > 0 ? 1 : 0;
        for (int i = 0; i < n; i++) {
            handle(wc[i]);
        }
        boolean waiting = goOn();
        boolean flushed = flush();
        if (n == 0 && !flushed && !waiting) {
            self.watch(queue.provider().watchAddress(), 1);
        }
        return sent;
    }

    /** Goes on with what waits; returns whether something still waits for what no completion tells of. */
    private boolean goOn() {
        for (int i = qpairs.size() - 1; i >= 0; i--) { // one may go while it is looked at
            RdmaQpair q = qpairs.get(i);
            if (q.hasWaiting()) {
                flow.retry(q);
                takeIncoming(q);
            }
        }
        flow.retry();
        if (!aborts.isEmpty()) {
            retryAborts();
        }
        return flow.hasWaiting() || !aborts.isEmpty();
    }

    private void handle(WorkCompletion c) {
        long type = c.wrId >>> TYPE_SHIFT << TYPE_SHIFT;
        int slot = (int) c.wrId;
        RdmaQpair q = byNumber.get(c.qpNum);
        if (q == null) {
            RdmaResources common = device.common();
            if (type == RECEIVE && common != null && c.status == WcStatus.SUCCESS) {
                post(common, slot);
            }
            return;
        }
        if (type == RECEIVE || type == SHARED) {
            received(q, slot, c);
            return;
        }
        RdmaRequest r = resources(q).request(slot);
        boolean ok = c.status == WcStatus.SUCCESS;
        if (!ok && q.state != NvmfQpair.State.DEACTIVATING) {
            target.note("queue " + q.qid + ": " + c);
            disconnect(q);
        }
        if (type == SEND) {
            sent++;
            flow.responseDone(r, pollStart);
        } else if (r.toController()) {
            flow.readDone(r);
        } else {
            flow.writeFailed(r);
        }
        finishIfDrained(q);
    }

    private void received(RdmaQpair q, int slot, WorkCompletion c) {
        if (c.status != WcStatus.SUCCESS) {
            if (q.state != NvmfQpair.State.DEACTIVATING) {
                if (q.offload != null && c.status != WcStatus.WR_FLUSH_ERR) { // of the NIC's own work
                    target.note("queue " + q.qid + ": " + c);
                }
                disconnect(q);
            }
            return;
        }
        boolean tooShort = c.byteLength < SqEntry.BYTES;
        boolean tooMany = q.unanswered + q.waiting >= q.depth;
        if (q.state == NvmfQpair.State.DEACTIVATING || tooShort || tooMany) {
            repost(q, slot);
            if (q.state != NvmfQpair.State.DEACTIVATING) {
                target.note("queue " + q.qid + ": "
                        + (tooShort ? "capsule of " + c.byteLength + " bytes" : "more than " + q.depth + " commands"));
                disconnect(q);
            }
            return;
        }
        q.arrive(slot, (int) c.byteLength - SqEntry.BYTES);
        takeIncoming(q);
    }

    private void takeIncoming(RdmaQpair q) {
        while (q.waiting > 0) {
            RdmaRequest r = resources(q).take();
            if (r == null) {
                counters.pendingFreeRequest++;
                return;
            }
            int next = q.leave();
            q.active++;
            q.unanswered++;
            counters.requests++;
            r.own(q);
            r.start(q.waitingReceive[next], q.waitingBehind[next], pollStart);
            r.go(RequestState.NEW);
            flow.advance(r);
        }
    }

    void advance(RdmaRequest r) {
        flow.advance(r);
        if (!limits.wrBatching()) {
            flush();
        }
    }

    /** A request is free again: one that waits for it, or the end of its queue, may come. */
    void freed(RdmaRequest r) {
        RdmaQpair q = r.qpair();
        q.active--;
        resources(q).give(r);
        finishIfDrained(q);
    }

    /** Returns a work request to be filled; it is handed to the device at the end of the poll. */
    SendEntry send(RdmaQpair q) {
        if (q.sends.size() == 0) {
            dirty.add(q);
        }
        return q.sends.add();
    }

    /** All of a command has been filled in. */
    void posted(RdmaQpair q) {
        if (!limits.wrBatching()) {
            flush();
        }
    }

    int bufferKey(int bytes) {
        return (buffers().isSmall(bytes) ? device.small() : device.large()).lkey();
    }

    /** Posts a receive again: of the queue itself at once, a shared one with others. */
    void repost(RdmaQpair q, int slot) {
        RdmaResources all = device.common();
        QueuePair qp = q.qp;
        TargetOffload.OffloadedQueue nic = q.offload;
        if (nic != null) {
            nic.release(device.context().cpu(), slot);
        } else if (all != null && q.resources == all) {
            post(all, slot);
        } else if (qp != null && qp.state() != QpState.ERR && q.state != NvmfQpair.State.DEACTIVATING) {
            own.clear();
            ReceiveEntry wr = own.add();
            wr.wrId = RECEIVE | slot;
            resources(q).fill(wr, slot);
            counters.totalRecvWrs++;
            counters.recvDoorbells++;
            qp.postReceive(own);
        }
    }

    /** Hands everything to the device, receives first; returns whether there was anything. */
    private boolean flush() {
        boolean any = shared.size() > 0;
        SharedReceiveQueue queue = device.srq();
        if (queue != null) {
            flushShared(queue);
        }
        for (int i = 0; i < dirty.size(); i++) {
            any |= ring(dirty.get(i));
        }
        dirty.clear();
        return any;
    }

    private boolean ring(RdmaQpair q) {
        QueuePair qp = q.qp;
        if (qp == null || q.sends.size() == 0) {
            return false;
        }
        counters.totalSendWrs += q.sends.size();
        counters.sendDoorbells++;
        qp.postSend(q.sends);
        q.sends.clear();
        return true;
    }

    /** Makes the queue pair of a connection, on the thread; then the acceptor goes on. */
    void create(RdmaQpair q) {
        ProtectionDomain pd = device.pd();
        CompletionQueue queue = device.cq();
        TargetOffload nic = q.isAdminByCm ? null : offload;
        SharedReceiveQueue sharedQueue = nic == null ? device.srq() : null;
        int receives = nic != null ? nic.receives(q.depth) : sharedQueue == null ? q.depth : 1;
        int sends = nic != null ? 2 * q.maxSends : q.maxSends; // the NIC has as many
        QpCapabilities sizes = new QpCapabilities(sends, receives, 1, 2, 0);
        QpInit init = new QpInit(QpType.RC, queue, queue, sizes, false);
        Completion<QueuePair> made = q.id.createQp(
                pd, sharedQueue == null ? init : init.withSrq(sharedQueue), EnumSet.noneOf(AccessFlag.class));
        made.whenFailed(why -> transport.refuse(q, why));
        made.whenDone(qp -> {
            q.qp = qp;
            if (sharedQueue != null) {
                q.resources = device.common();
                transport.send(group, transport.qpReady(), q.index);
            } else {
                RdmaResources all = new RdmaResources(
                        device.context().cpu().memory(), "nvmf.q" + q.index, q.depth, limits.inCapsuleBytes());
                q.resources = all;
                all.register(pd, () -> registered(q, pd, qp, nic), why -> {
                    qp.close();
                    all.close();
                    transport.refuse(q, why);
                });
            }
        });
    }

    /** The queue has memory of its own; the NIC may share it. */
    private void registered(RdmaQpair q, ProtectionDomain pd, QueuePair qp, @Nullable TargetOffload nic) {
        if (nic == null) {
            transport.send(group, transport.qpReady(), q.index);
            return;
        }
        RdmaResources all = resources(q);
        TargetOffload.Buffers buffers =
                new TargetOffload.Buffers(all.depth(), all.command(0), all.data(0), all.inCapsule());
        nic.share(pd, device.context(), qp, buffers, shared -> {
            q.offload = shared;
            if (shared == null) {
                target.note("queue without offload: the NIC has no room for its capsules");
            }
            transport.send(group, transport.qpReady(), q.index);
        });
    }

    /** The queue pair is there: it is polled from now on. */
    void add(RdmaQpair q) {
        QueuePair qp = q.qp;
        if (qp == null) {
            return;
        }
        byNumber.put(qp.qpn(), q);
        qpairs.add(q);
        q.isAdded = true;
        group.add(q, q.isAdminByCm);
        TargetOffload.OffloadedQueue nic = q.offload;
        if (nic != null) {
            nic.post(SHARED);
        } else if (q.resources != device.common()) {
            for (int i = 0; i < q.depth; i++) {
                repost(q, i);
            }
        }
    }

    /** Ends a connection: what waits ends now, what the device or a block device has when it comes back; then the queue pair goes. */
    void disconnect(RdmaQpair q) {
        if (q.state == NvmfQpair.State.DEACTIVATING || !q.isAdded) {
            return; // a queue pair that is being made is refused or ended when it is there
        }
        q.state = NvmfQpair.State.DEACTIVATING;
        ring(q);
        target.sessions().leaving(q);
        toError(q);
        RdmaResources all = resources(q);
        while (q.waiting > 0) {
            repost(q, q.waitingReceive[q.leave()]);
        }
        for (int i = 0; i < all.depth(); i++) {
            RdmaRequest r = all.request(i);
            if (r.state() != RequestState.FREE && r.qpair() == q) {
                flow.advance(r);
            }
        }
        finishIfDrained(q);
    }

    /** Stops the device. The connection manager may be doing so already: then there is nothing to do but wait. */
    private void toError(RdmaQpair q) {
        QueuePair qp = q.qp;
        if (qp == null || qp.state() == QpState.ERR || qp.state() == QpState.RESET) {
            transport.send(group, transport.qpInError(), q.index);
            return;
        }
        try {
            Completion<QueuePair> error = qp.modify(new QpAttributes().state(QpState.ERR));
            error.whenDone(done -> transport.send(group, transport.qpInError(), q.index));
            error.whenFailed(why -> transport.send(group, transport.qpInError(), q.index));
        } catch (VerbsException busy) {
            group.later(() -> toError(q));
        }
    }

    /** The queue pair is in ERR, so that nothing more is posted by the device on its own: the other side is told. */
    void inError(RdmaQpair q) {
        q.inError = true;
        transport.sendApp(transport.cmDisconnect(), q.index);
    }

    void cmDone(RdmaQpair q) {
        q.cmDone = true;
        finishIfDrained(q);
    }

    private void finishIfDrained(RdmaQpair q) {
        boolean drained = q.state == NvmfQpair.State.DEACTIVATING && q.active == 0 && q.sendDepth == 0;
        if (!drained || !q.inError || !q.cmDone || q.isGone) {
            return;
        }
        q.isGone = true;
        QueuePair qp = q.qp;
        qpairs.remove(q);
        dirty.remove(q);
        group.remove(q, q.isAdminByCm);
        if (qp != null) {
            byNumber.remove(qp.qpn());
            Completion<QueuePair> gone = qp.destroy();
            closing++;
            gone.whenDone(done -> {
                closing--;
                RdmaResources all = q.resources;
                TargetOffload.OffloadedQueue nic = q.offload;
                if (nic != null) {
                    nic.close();
                }
                if (all != null && all != device.common()) {
                    all.close();
                }
            });
        }
        transport.gone(q);
        target.sessions().gone(q);
    }

    /** Aborts a command of a queue, or lets the abort wait while the command moves data. */
    void abort(RdmaQpair q, int cid, NvmfRequest by) {
        if (!tryAbort(q, cid, by)) {
            aborts.add(new PendingAbort(q, cid, by, pollStart + limits.abortTimeoutPs()));
        }
    }

    /** Returns whether the abort has its answer. */
    private boolean tryAbort(RdmaQpair q, int cid, NvmfRequest by) {
        RdmaResources all = resources(q);
        for (int i = 0; i < all.depth(); i++) {
            RdmaRequest r = all.request(i);
            if (r.state() == RequestState.FREE || r.qpair() != q || r == by || r.cmd.cid() != cid) {
                continue;
            }
            if (r.state() == RequestState.TRANSFERRING_HOST_TO_CONTROLLER) {
                return false;
            }
            by.result = flow.abort(r) ? 0 : 1;
            break;
        }
        target.sessions().aborted(by);
        return true;
    }

    private void retryAborts() {
        for (int i = 0; i < aborts.size(); i++) {
            PendingAbort a = aborts.get(i);
            if (a.q().isGone || pollStart >= a.untilPs()) {
                target.sessions().aborted(a.by());
                aborts.remove(i--);
            } else if (tryAbort(a.q(), a.cid(), a.by())) {
                aborts.remove(i--);
            }
        }
    }
}

package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.fabrics.RdmaPrivateData;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.CmPhase;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.verbs.Device;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.storage.reactor.MsgFn;
import dev.clockwire.storage.reactor.Reactors;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The RDMA transport: a poller for each poll group and device, an acceptor for each device, and the queues of hosts. What concerns the
 * connection manager happens on the target's thread, all else on that of the queue; messages join the two.
 */
final class RdmaTransport {
    private static final int RETRIES = 7;

    private final NvmfTarget target;
    private final BufferPool buffers;
    private final List<RdmaPoller> pollers = new ArrayList<>();
    private final List<RdmaAcceptor> acceptors = new ArrayList<>();
    private final Slots<RdmaQpair> qpairs = new Slots<>();
    private final MsgFn pollerReady;
    private final MsgFn create;
    private final MsgFn qpReady;
    private final MsgFn accept;
    private final MsgFn refuse;
    private final MsgFn disconnect;
    private final MsgFn qpInError;
    private final MsgFn cmDisconnect;
    private final MsgFn cmDone;
    private final MsgFn accepting;
    private final MsgFn deviceFailed;
    private int nextAdmin;
    private int pending;

    RdmaTransport(NvmfTarget target, List<Device> devices) {
        this.target = target;
        Reactors r = target.reactors();
        buffers = new BufferPool(r.host().memory(), target.limits());
        pollerReady =
                r.function("nvmf_rdma.poller", (i, b) -> pollers.get((int) i).start());
        create = r.function("nvmf_rdma.create_qp", (i, b) -> create((int) i));
        qpReady = r.function("nvmf_rdma.qp_ready", (i, b) -> ready((int) i));
        accept = r.function("nvmf_rdma.accept", (i, b) -> accept((int) i));
        refuse = r.function("nvmf_rdma.refuse", (i, b) -> refuse((int) i));
        disconnect = r.function("nvmf_rdma.disconnect", (i, b) -> disconnect((int) i));
        qpInError = r.function("nvmf_rdma.qp_in_error", (i, b) -> inError((int) i));
        cmDisconnect = r.function("nvmf_rdma.cm_disconnect", (i, b) -> cmDisconnect((int) i));
        cmDone = r.function("nvmf_rdma.cm_done", (i, b) -> cmDone((int) i));
        accepting = r.function(
                "nvmf_rdma.acceptor", (i, b) -> acceptors.get((int) i).start());
        deviceFailed = r.function(
                "nvmf_rdma.device_failed", (i, b) -> acceptors.get((int) i).failed());
        for (PollGroup g : target.groups()) {
            for (Device d : devices) {
                pollers.add(new RdmaPoller(this, g, d));
            }
        }
        for (Device d : devices) {
            acceptors.add(new RdmaAcceptor(this, d, acceptors.size()));
        }
        pollers.forEach(RdmaPoller::open);
        acceptors.forEach(RdmaAcceptor::open);
    }

    NvmfTarget target() {
        return target;
    }

    BufferPool buffers() {
        return buffers;
    }

    List<RdmaPoller> pollers() {
        return pollers;
    }

    MsgFn pollerReady() {
        return pollerReady;
    }

    MsgFn qpReady() {
        return qpReady;
    }

    MsgFn qpInError() {
        return qpInError;
    }

    MsgFn cmDisconnect() {
        return cmDisconnect;
    }

    int number(RdmaPoller p) {
        return pollers.indexOf(p);
    }

    /** A device refuses what the transport cannot do without. */
    void failed(VerbsException why) {
        target.note("transport RDMA: " + why.getMessage());
    }

    boolean isReady() {
        return pollers.stream().allMatch(RdmaPoller::isReady)
                && acceptors.stream().allMatch(RdmaAcceptor::isReady);
    }

    /** Whether no queue is on a device, and none is being made there. */
    boolean isQuiet(Device device) {
        for (int i = 0; i < qpairs.size(); i++) {
            RdmaQpair q = qpairs.get(i);
            if (q != null && q.poller().isOf(device)) {
                return false;
            }
        }
        for (RdmaPoller p : pollers) {
            if (p.isOf(device) && p.isClosing()) {
                return false;
            }
        }
        return true;
    }

    /** A device is back: its pollers begin anew. */
    void reopen(Device device) {
        for (RdmaPoller p : pollers) {
            if (p.isOf(device)) {
                p.reopen();
            }
        }
    }

    /** Whether all pollers of a device can take queues. */
    boolean isReady(Device device) {
        for (RdmaPoller p : pollers) {
            if (p.isOf(device) && !p.isReady()) {
                return false;
            }
        }
        return true;
    }

    /** The listeners have changed. */
    void listen() {
        acceptors.forEach(RdmaAcceptor::listen);
    }

    /** Tells a thread something of a queue. */
    void send(PollGroup to, MsgFn what, int which) {
        qpairs.sent(which);
        if (to.thread().sendMsg(what, which, 0) != 0) {
            throw new InvariantViolation("no message left for " + what);
        }
    }

    /** Tells the target's thread something of a queue. */
    void sendApp(MsgFn what, int which) {
        qpairs.sent(which);
        tellApp(what, which);
    }

    private void tellApp(MsgFn what, int which) {
        if (target.app().sendMsg(what, which, 0) != 0) {
            throw new InvariantViolation("no message left for " + what);
        }
    }

    void acceptorReady(int number) {
        tellApp(accepting, number);
    }

    /** An acceptor's device has failed: it hears of it on the thread. */
    void deviceFailed(int number) {
        tellApp(deviceFailed, number);
    }

    /** Returns how many connections were asked for and not answered yet. */
    int pending() {
        return pending;
    }

    /** Somebody wants a connection on terms that can be met. */
    void connect(RdmaAcceptor.Wish wish) {
        RdmaPoller p = choose(wish);
        RdmaQpair q = new RdmaQpair(p, qpairs.next(), wish.id(), wish.terms());
        qpairs.add(q);
        pending++;
        send(p.group(), create, q.index);
    }

    /** Admin queues take turns; an I/O queue goes where there are fewest, of equals to the one whose turn it is. */
    private RdmaPoller choose(RdmaAcceptor.Wish wish) {
        int groups = target.groups().size();
        int best = nextAdmin;
        if (wish.terms().admin()) {
            nextAdmin = nextAdmin + 1 == groups ? 0 : nextAdmin + 1;
        } else {
            for (int i = 0; i < groups; i++) {
                int g = (nextAdmin + i) % groups;
                if (target.groups().get(g).currentIos < target.groups().get(best).currentIos) {
                    best = g;
                }
            }
        }
        return pollers.get(best * acceptors.size() + wish.device());
    }

    private @Nullable RdmaQpair qpair(int index) {
        return qpairs.received(index);
    }

    private void create(int index) {
        RdmaQpair q = qpair(index);
        if (q != null) {
            q.poller().create(q);
        }
    }

    private void ready(int index) {
        RdmaQpair q = qpair(index);
        if (q != null) {
            q.poller().add(q);
            sendApp(accept, index);
        }
    }

    private void accept(int index) {
        RdmaQpair q = qpair(index);
        if (q == null) {
            return;
        }
        pending--;
        if (q.id.phase() != CmPhase.REQ_RECEIVED) {
            send(q.group(), disconnect, index);
            return;
        }
        PrivateData data = PrivateData.of(RdmaPrivateData.reply(q.depth));
        q.id.accept(new CmParameters(0, q.maxReads, false, RETRIES, RETRIES, data));
    }

    /** The queue pair of a connection cannot be made. */
    void refuse(RdmaQpair q, VerbsException why) {
        failed(why);
        sendApp(refuse, q.index);
    }

    private void refuse(int index) {
        RdmaQpair q = qpair(index);
        if (q != null) {
            pending--;
            qpairs.remove(index);
            if (q.id.phase() == CmPhase.REQ_RECEIVED) {
                q.id.reject(PrivateData.of(RdmaPrivateData.reject(RdmaPrivateData.NO_RESOURCES)));
            }
        }
    }

    /** The other side has ended a connection, or it has not come to be. */
    void lost(RdmaQpair q) {
        if (qpairs.get(q.index) == q) {
            send(q.group(), disconnect, q.index);
        }
    }

    /** Returns the queue of a connection, null if it is gone. */
    @Nullable
    RdmaQpair find(Object id) {
        for (int i = 0; i < qpairs.size(); i++) {
            RdmaQpair q = qpairs.get(i);
            if (q != null && q.id == id) {
                return q;
            }
        }
        return null;
    }

    private void disconnect(int index) {
        RdmaQpair q = qpair(index);
        if (q != null) {
            q.disconnect();
        }
    }

    private void inError(int index) {
        RdmaQpair q = qpair(index);
        if (q != null) {
            q.poller().inError(q);
        }
    }

    private void cmDisconnect(int index) {
        RdmaQpair q = qpair(index);
        if (q != null) {
            q.id.disconnect();
            send(q.group(), cmDone, index);
        }
    }

    private void cmDone(int index) {
        RdmaQpair q = qpair(index);
        if (q != null) {
            q.poller().cmDone(q);
        }
    }

    /** Returns how many numbers queues have taken: no more than there were at a time. */
    int numbers() {
        return qpairs.size();
    }

    void gone(RdmaQpair q) {
        qpairs.remove(q.index);
    }
}

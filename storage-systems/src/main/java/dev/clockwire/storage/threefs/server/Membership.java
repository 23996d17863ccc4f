package dev.clockwire.storage.threefs.server;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.LocalState;
import dev.clockwire.storage.threefs.mgmtd.Mgmtd;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.mgmtd.TargetState;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.RpcNet;
import dev.clockwire.storage.threefs.rpc.Status;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether an incarnation takes part: its lease, what it tells the manager, and what it makes of the chains that the manager knows. One that has restarted is
 * silent until everybody knows that the one before it is gone.
 */
final class Membership {
    private final StorageService service;
    private final Node node;
    private final RpcNet net;
    private final StorageService.Cast cast;
    private final boolean first;
    private boolean announced;
    private boolean over;
    private long heard;

    Membership(StorageService service, Node node, RpcNet net, StorageService.Cast cast) {
        this.service = service;
        this.node = node;
        this.net = net;
        this.cast = cast;
        first = node.incarnation() == 1;
        announced = first;
    }

    /** Returns whether nobody was here before. */
    boolean isFirst() {
        return first;
    }

    boolean isOver() {
        return over;
    }

    /** See {@link StorageService#isGone}. */
    boolean isGone() {
        return over || !service.gate().mayServe(announced) || isLeaseOver();
    }

    void start() {
        heard = now();
        service.routing().refresh(() -> beat(0, 0));
    }

    private long now() {
        return service.worker().now();
    }

    private void beat(long a, long b) {
        if (over) {
            return;
        }
        if (isLeaseOver()) {
            exit();
            return;
        }
        if (!announced && mayAnnounce()) {
            announced = true;
            service.follow();
        }
        service.look();
        if (announced) {
            heartbeat();
        } else {
            long asked = now();
            service.routing().ask(known -> heard = known ? asked : heard);
        }
        service.worker().after(service.spec().times().heartbeat(), this::beat, 0, 0);
    }

    /** Others may think that this node is gone, and go on without it. */
    private boolean isLeaseOver() {
        return service.gate().isLeaseOver(now() - heard, service.spec().times().fail());
    }

    /** What it missed must be brought to it. */
    private boolean mayAnnounce() {
        for (LocalTarget t : service.targets()) {
            Chain c = service.routing().routing().chain(t.chain);
            Target own = c == null ? null : c.of(service.number());
            if (own == null || !isAway(own)) {
                return false;
            }
        }
        return true;
    }

    static boolean isAway(Target own) {
        return own.state() == TargetState.OFFLINE || own.state() == TargetState.LASTSRV;
    }

    private void heartbeat() {
        Message m = new Message();
        m.method = Method.HEARTBEAT;
        m.client = service.number();
        m.sequence = service.routing().routing().version();
        m.request = node.incarnation();
        List<LocalTarget> targets = new ArrayList<>();
        service.targets().forEach(targets::add);
        byte[] states = new byte[Mgmtd.LOCAL * targets.size()];
        int at = 0;
        for (LocalTarget t : targets) {
            LittleEndian.put32(states, at, t.chain);
            LittleEndian.put32(states, at + 4, t.state.code());
            LittleEndian.put32(states, at + 8, service.chainVer(t.chain));
            at += Mgmtd.LOCAL;
        }
        m.with(states, at);
        long asked =
                now(); // the manager has heard of this node then or later, so it waits longer than this node thinks
        net.to(cast.manager()).call(m, service.spec().times().rpc(), answer -> {
            if (answer.status == Status.OK) {
                heard = Math.max(heard, asked);
                service.routing().learn(answer);
            }
        });
    }

    /** A target goes by a version of its chain from now on. */
    void adopt(LocalTarget t, Chain c) {
        if (c.version() > t.adopted && service.gate().mayServe(announced)) {
            t.adopted = c.version();
            cast.watch().events().adopted(now(), service.number(), t.chain, c.version());
        }
        t.store.disk().chainVer(c.version());
    }

    /** The state of a target follows what its chain says of it; one that serves and is shown as gone ends the process. */
    void follow(LocalTarget t, Chain c, Target own) {
        if (own.state() == TargetState.SERVING && t.state == LocalState.ONLINE && announced) {
            t.state = LocalState.UP_TO_DATE; // it was the last one that served
        }
        boolean fresh = own.state() == TargetState.SYNCING && c.version() != t.syncedVer;
        if (t.state == LocalState.UP_TO_DATE && (fresh || own.state() == TargetState.WAITING)) {
            t.state = LocalState.ONLINE; // it was brought up to date for a chain that is no more
        }
        if (isAway(own) && t.state == LocalState.UP_TO_DATE) {
            exit();
        }
    }

    /** The process ends, and whoever watches it starts it anew at once, without its memory. */
    private void exit() {
        if (!over) {
            over = true;
            node.boot();
        }
    }
}

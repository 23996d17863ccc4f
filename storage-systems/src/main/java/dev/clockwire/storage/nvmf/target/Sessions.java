package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.fabrics.ConnectData;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.SubsystemSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import dev.clockwire.storage.reactor.MsgFn;
import dev.clockwire.storage.reactor.Reactors;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The controllers of a target, and the messages between threads that make, join and end them. */
final class Sessions {
    /** {@link Fabrics#join}: ask again. */
    static final long LATER = -1;

    private static final int SLOT_BITS = 16;
    private static final int LOWER = 0xFFFF;

    private final NvmfTarget target;
    private final List<Controller> controllers = new ArrayList<>();
    private final Slots<Joining> joining = new Slots<>();
    private final Slots<Abort> aborts = new Slots<>();
    private final List<Subsystem> changed = new ArrayList<>();
    private final MsgFn make;
    private final MsgFn made;
    private final MsgFn find;
    private final MsgFn join;
    private final MsgFn joined;
    private final MsgFn disconnect;
    private final MsgFn removed;
    private final MsgFn end;
    private final MsgFn abort;
    private final MsgFn aborted;
    private final MsgFn namespace;
    private final MsgFn forget;
    private final MsgFn discovery;
    private int nextCntlid;
    private int numbers;

    /** A queue that has told where it wants to be, until it is gone. */
    private record Joining(NvmfQpair q, Subsystem to, ConnectData data) {}

    /** An abort that another thread sees to. */
    private record Abort(NvmfQpair q, NvmfRequest by) {}

    Sessions(NvmfTarget target) {
        this.target = target;
        Reactors r = target.reactors();
        make = r.function("nvmf.make_controller", (i, b) -> make((int) i));
        made = r.function("nvmf.made", (i, c) -> {
            Joining one = joining.received((int) i);
            if (one != null) {
                target.fabrics().made(one.q, controller((int) c));
            }
        });
        find = r.function("nvmf.find_controller", (i, b) -> find((int) i));
        join = r.function("nvmf.join", (i, again) -> join((int) i));
        joined = r.function("nvmf.joined", (i, a) -> {
            Joining one = joining.received((int) i);
            if (one != null) {
                target.fabrics().joined(one.q, a);
            }
        });
        disconnect = r.function("nvmf.disconnect", (i, b) -> {
            Joining one = joining.received((int) i);
            if (one != null) {
                one.q.disconnect();
            }
        });
        removed = r.function("nvmf.removed", (c, qid) -> removed((int) c, (int) qid));
        end = r.function("nvmf.end_controller", (c, b) -> end((int) c));
        abort = r.function("nvmf.abort", (i, cid) -> abort((int) i, (int) cid));
        aborted = r.function("nvmf.aborted", (i, result) -> aborted((int) i));
        namespace = r.function("nvmf.namespace", (s, nsid) -> namespace((int) s, (int) nsid));
        forget = r.function(
                "nvmf.forget_channel",
                (g, x) -> target.groups()
                        .get((int) g)
                        .namespaceChanged(changed.get((int) (x >>> SLOT_BITS)), (int) x & LOWER));
        discovery = r.function("nvmf.discovery_changed", (c, b) -> discovery((int) c));
    }

    private void send(StorageThread to, MsgFn what, long a, long b) {
        if (to.sendMsg(what, a, b) != 0) {
            throw new InvariantViolation("no message left for " + what);
        }
    }

    private static StorageThread thread(NvmfQpair q) {
        return q.group().thread();
    }

    /** Returns a live controller by its number, null if there is none. */
    private @Nullable Controller controller(int number) {
        for (Controller c : controllers) {
            if (c.number() == number) {
                return c;
            }
        }
        return null;
    }

    private void tell(StorageThread to, MsgFn what, int number, long b) {
        joining.sent(number);
        send(to, what, number, b);
    }

    /** A Connect was found good as far as the queue's thread can tell. */
    void connects(NvmfQpair q, Subsystem to, ConnectData data) {
        if (q.joining >= 0) {
            joining.remove(q.joining);
        }
        q.joining = joining.add(new Joining(q, to, data));
        tell(target.app(), q.qid == 0 ? make : find, q.joining, 0);
    }

    /** Nobody waits for a controller whose queue has gone meanwhile. */
    private void make(int i) {
        Joining one = joining.received(i);
        if (one == null) {
            return;
        }
        NvmfQpair q = one.q;
        int cntlid = freeCntlid(one.to);
        int number = -1;
        if (cntlid != 0) {
            Controller c = new Controller(target, one.to, cntlid, q, one.data, numbers++);
            controllers.add(c);
            number = c.number();
        }
        tell(thread(q), made, i, number);
    }

    /** Numbers go round, so that a host does not take a new controller for its old one. Returns 0 if all are taken. */
    private int freeCntlid(Subsystem s) {
        SubsystemSpec spec = s.spec();
        int count = spec.maxCntlid() - spec.minCntlid() + 1;
        for (int i = 0; i < count; i++) {
            int cntlid = spec.minCntlid() + (nextCntlid + i) % count;
            if (byCntlid(s, cntlid) == null) {
                nextCntlid = nextCntlid + i + 1;
                return cntlid;
            }
        }
        return 0;
    }

    private @Nullable Controller byCntlid(Subsystem s, int cntlid) {
        for (Controller c : controllers) {
            if (c.subsystem() == s && c.cntlid() == cntlid) {
                return c;
            }
        }
        return null;
    }

    private void find(int i) {
        Joining one = joining.received(i);
        if (one == null) {
            return;
        }
        Controller c = byCntlid(one.to, one.data.controller());
        boolean same = c != null && c.hostNqn().equals(one.data.host());
        if (c == null || !same) {
            tell(thread(one.q), joined, i, target.fabrics().join(one.q, null, true));
        } else {
            tell(thread(c.admin()), join, i, 0);
        }
    }

    private void join(int i) {
        Joining one = joining.received(i);
        if (one != null) {
            join(i, one, false);
        }
    }

    private void join(int i, Joining one, boolean again) {
        Controller c = byCntlid(one.to, one.data.controller());
        long answer = target.fabrics().join(one.q, c, again);
        if (answer == LATER && c != null) {
            joining.sent(i);
            c.admin().group().later(() -> {
                if (one.equals(joining.received(i))) {
                    join(i, one, true);
                }
            });
        } else {
            tell(thread(one.q), joined, i, answer);
        }
    }

    /** Ends a queue, on its own thread. */
    void disconnect(NvmfQpair q) {
        if (target.reactors().current() == thread(q)) {
            q.disconnect();
        } else if (q.joining >= 0) { // else it is gone already
            tell(thread(q), disconnect, q.joining, 0);
        }
    }

    /** A queue begins to go; with an admin queue all of its controller does. */
    void leaving(NvmfQpair q) {
        Controller c = q.controller;
        if (c != null && c.admin() == q) {
            c.end();
        }
    }

    /** A queue is gone. */
    void gone(NvmfQpair q) {
        if (q.joining >= 0) {
            joining.remove(q.joining);
            q.joining = -1;
        }
        Controller c = q.controller;
        if (c != null) {
            send(thread(c.admin()), removed, c.number(), q.qid);
        }
    }

    private void removed(int number, int qid) {
        Controller c = controller(number);
        if (c != null) {
            c.removed(qid);
        }
    }

    void forget(Controller c) {
        controllers.remove(c);
    }

    /** Ends all controllers of a subsystem. */
    void end(Subsystem of) {
        for (Controller c : List.copyOf(controllers)) {
            if (c.subsystem() == of) {
                send(thread(c.admin()), end, c.number(), 0);
            }
        }
    }

    /** Ends the controllers that a host has of a subsystem, as SPDK does when it takes a host's leave away. */
    void end(Subsystem of, String host) {
        for (Controller c : List.copyOf(controllers)) {
            if (c.subsystem() == of && c.hostNqn().equals(host)) {
                send(thread(c.admin()), end, c.number(), 0);
            }
        }
    }

    /** Ends the controllers whose hosts have come through a listener, as SPDK does when it stops to listen. */
    void end(Subsystem of, TransportId listener) {
        for (Controller c : List.copyOf(controllers)) {
            if (c.subsystem() == of && c.admin().arrivedAt(listener)) {
                send(thread(c.admin()), end, c.number(), 0);
            }
        }
    }

    private void end(int number) {
        Controller c = controller(number);
        if (c != null) {
            c.end();
        }
    }

    /** Aborts a command of a queue, on that queue's thread; then the abort ends on its own. */
    void abort(NvmfQpair q, int cid, NvmfRequest by) {
        if (thread(q) == thread(by.qpair())) {
            q.abort(cid, by);
            return;
        }
        by.aborting = aborts.add(new Abort(q, by));
        send(thread(q), abort, by.aborting, cid);
    }

    private void abort(int i, int cid) {
        Abort one = aborts.get(i);
        if (one != null) {
            one.q.abort(cid, one.by);
        }
    }

    /** An abort has its result. */
    void aborted(NvmfRequest by) {
        if (by.aborting < 0) {
            by.end(0);
        } else {
            send(thread(by.qpair()), aborted, by.aborting, 0);
        }
    }

    private void aborted(int i) {
        Abort one = aborts.get(i);
        aborts.remove(i);
        if (one != null) {
            one.by.aborting = -1;
            one.by.end(0);
        }
    }

    /** Returns how many numbers queues and aborts have taken: no more than there were at a time. */
    int numbers() {
        return joining.size() + aborts.size();
    }

    /** A namespace has come or gone: its channels are closed, its hosts are told. */
    void namespaceChanged(Subsystem s, int nsid) {
        if (!changed.contains(s)) {
            changed.add(s);
        }
        int i = changed.indexOf(s);
        for (int g = 0; g < target.groups().size(); g++) {
            PollGroup group = target.groups().get(g);
            if (group.hasChannel(s, nsid)) {
                send(group.thread(), forget, g, ((long) i << SLOT_BITS) | nsid);
            }
        }
        for (Controller c : controllers) {
            if (c.subsystem() == s) {
                send(thread(c.admin()), namespace, c.number(), nsid);
            }
        }
    }

    private void namespace(int number, int nsid) {
        Controller c = controller(number);
        if (c != null) {
            c.events().namespaceChanged(nsid);
        }
    }

    /** What discovery tells has changed. */
    void reachable() {
        for (Controller c : controllers) {
            if (c.isDiscovery()) {
                send(thread(c.admin()), discovery, c.number(), 0);
            }
        }
    }

    private void discovery(int number) {
        Controller c = controller(number);
        if (c != null) {
            c.events().discoveryChanged();
        }
    }

    List<ControllerInfo> infos(Subsystem of) {
        List<ControllerInfo> all = new ArrayList<>();
        for (Controller c : controllers) {
            if (c.subsystem() == of) {
                all.add(c.info());
            }
        }
        return all;
    }
}

package dev.clockwire.storage.nvmf.target;

import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.PollerState;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.List;

/** The queues that one thread serves, and its channels to the namespaces. */
final class PollGroup {
    private final StorageThread thread;
    private final List<NvmfQpair> qpairs = new ArrayList<>();
    private final List<SubsystemChannels> subsystems = new ArrayList<>();
    private final List<KeepAlive> keepAlives = new ArrayList<>();
    private final List<Runnable> waiting = new ArrayList<>();
    private final List<Long> waitingUntil = new ArrayList<>();
    private final Poller retry;
    int admins;
    int ios;
    int currentAdmins;
    int currentIos;
    long pendingBdevIo;

    PollGroup(StorageThread thread) {
        this.thread = thread;
        retry = thread.poller("nvmf_ctrlr_add_io_qpair", this::retry);
    }

    StorageThread thread() {
        return thread;
    }

    /** A queue comes; what kind it is a host says beforehand. */
    void add(NvmfQpair q, boolean admin) {
        qpairs.add(q);
        admins += admin ? 1 : 0;
        ios += admin ? 0 : 1;
        currentAdmins += admin ? 1 : 0;
        currentIos += admin ? 0 : 1;
    }

    void remove(NvmfQpair q, boolean admin) {
        if (qpairs.remove(q)) {
            currentAdmins -= admin ? 1 : 0;
            currentIos -= admin ? 0 : 1;
        }
    }

    List<NvmfQpair> qpairs() {
        return qpairs;
    }

    /** Returns the channels to a subsystem's namespaces. */
    SubsystemChannels channels(Subsystem of) {
        for (SubsystemChannels c : subsystems) {
            if (c.subsystem() == of) {
                return c;
            }
        }
        SubsystemChannels made = new SubsystemChannels(this, of);
        subsystems.add(made);
        return made;
    }

    boolean hasChannel(Subsystem of, int nsid) {
        for (SubsystemChannels c : subsystems) {
            if (c.subsystem() == of) {
                return c.isOpen(nsid);
            }
        }
        return false;
    }

    /** Does something on the thread, a millisecond from now at the earliest. */
    void later(Runnable what) {
        waiting.add(what);
        waitingUntil.add(thread.reactor().reactors().now() + Fabrics.DUPLICATE_PS);
        if (retry.state() == PollerState.UNREGISTERED) {
            retry.register(Fabrics.DUPLICATE_PS);
        }
    }

    private int retry(Poller self) {
        int n = 0;
        while (!waiting.isEmpty() && waitingUntil.get(0) <= self.cpu().now()) {
            waitingUntil.remove(0);
            waiting.remove(0).run();
            n++;
        }
        if (waiting.isEmpty()) {
            self.unregister();
        }
        return n;
    }

    /** A namespace has come or gone: what was known of its number is no longer true. */
    void namespaceChanged(Subsystem of, int nsid) {
        channels(of).forget(nsid);
    }

    /** Begins to look after the signs of life of a host. */
    KeepAlive keepAlive(Controller of) {
        for (KeepAlive k : keepAlives) {
            if (k.isFree()) {
                k.start(of);
                return k;
            }
        }
        KeepAlive made = new KeepAlive(thread);
        keepAlives.add(made);
        made.start(of);
        return made;
    }
}

package dev.clockwire.storage.cluster;

import dev.clockwire.roce.cm.CmHandler;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.cm.ConnectionManager;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.sim.random.RandomStream;

/**
 * Makes connections of one incarnation of a node over queue pair 1. The three systems exchange queue pair numbers over TCP or rdma_cm; here all use
 * the connection manager, whose datagrams are no part of any count.
 */
public final class Connector {
    private final ConnectionManager manager;

    private Connector(ConnectionManager manager) {
        this.manager = manager;
    }

    /**
     * Opens queue pair 1.
     *
     * @param mr at least {@link ConnectionManager#BUFFER_BYTES} bytes, in the domain
     */
    static Completion<Connector> open(
            Worker worker, ProtectionDomain pd, MemoryRegion mr, CmTimes times, RandomStream random) {
        return ConnectionManager.open(pd, mr, times, random).map(manager -> {
            worker.add(new CmSource(worker, manager));
            return new Connector(manager);
        });
    }

    /**
     * Sets what paths are like that are asked for from now on.
     *
     * @param mtu largest packets
     * @param ackTimeout code of the acknowledge timeout, 4.096 us * 2^code
     */
    public void paths(Mtu mtu, int ackTimeout) {
        manager.limitMtu(mtu);
        manager.ackTimeout(ackTimeout);
    }

    /** Takes connections up at a port. */
    public void listen(int port, CmHandler handler) {
        manager.listen(port, handler);
    }

    /** Takes none up at a port any more. */
    public void unlisten(int port) {
        manager.unlisten(port);
    }

    /** Returns a client's end; create its queue pair, post receives, then {@link #connect}. */
    public CmId client(CmHandler handler) {
        return manager.createId(handler);
    }

    /** Asks for a connection; what becomes of it comes to the handler. */
    public void connect(CmId id, Gid server, int port, CmParameters parameters) {
        id.connect(server, port, parameters);
    }
}

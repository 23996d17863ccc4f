package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.fabrics.RdmaPrivateData;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmReq;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.cm.ConnectionManager;
import dev.clockwire.roce.cm.IpCmHeader;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.cm.ServiceId;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.Device;
import dev.clockwire.roce.verbs.DeviceAttributes;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.PollerState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes connections of one device up, on the target's thread: it looks at the private data and says on which terms, or why not. */
final class RdmaAcceptor {
    private static final int LINUX_ADMIN_DEPTH = 32;

    private final RdmaTransport transport;
    private final NvmfTarget target;
    private final Device device;
    private final int number;
    private final Poller poller;
    private final List<Integer> ports = new ArrayList<>();
    private Context context;
    private @Nullable Opened opened;
    private boolean ready;
    /** The device has failed: its queues end, then all is made anew when it is back. */
    private boolean lost;

    private boolean waitsForPollers;
    private int failures;
    private @Nullable Allocation memory;
    private @Nullable RandomStream random;

    /** What belongs to one time of having the device open. */
    private record Opened(Context context, ProtectionDomain pd, MemoryRegion region, ConnectionManager manager) {
        /** Lets all go behind a failure; the connections are gone already. */
        void close() {
            region.close();
            pd.close();
            context.close();
        }
    }

    /**
     * A connection that can be had.
     *
     * @param device number of the acceptor
     */
    record Wish(CmId id, int device, RdmaQpair.Terms terms) {}

    RdmaAcceptor(RdmaTransport transport, Device device, int number) {
        this.transport = transport;
        this.device = device;
        this.number = number;
        target = transport.target();
        context = device.open(target.app().reactor().core());
        poller = target.app().poller("nvmf_rdma_accept", this::poll);
    }

    boolean isReady() {
        return ready;
    }

    /** Opens queue pair 1. */
    void open() {
        Context now = context;
        watch(now);
        Completion<ProtectionDomain> domain = now.allocPd();
        domain.whenFailed(transport::failed);
        domain.whenDone(pd -> {
            Allocation m = memory;
            if (m == null) {
                m = now.cpu().memory().allocate("nvmf.cm", ConnectionManager.BUFFER_BYTES, Allocation.Kind.REAL, 4096);
                memory = m;
            }
            Completion<MemoryRegion> region = pd.regMr(m.address(), m.length(), EnumSet.of(AccessFlag.LOCAL_WRITE));
            region.whenFailed(transport::failed);
            region.whenDone(r -> {
                Completion<ConnectionManager> made = manager(pd, r);
                made.whenFailed(transport::failed);
                made.whenDone(cm -> {
                    Opened before = opened;
                    opened = new Opened(now, pd, r, cm);
                    if (before != null) {
                        before.close();
                    }
                    transport.acceptorReady(number);
                });
            });
        });
    }

    private Completion<ConnectionManager> manager(ProtectionDomain pd, MemoryRegion region) {
        Opened before = opened;
        if (before != null) {
            return before.manager.successor(pd, region);
        }
        RandomStream own = random;
        if (own == null) {
            own = target.reactors().host().sim().random("nvmf.cm." + device.name());
            random = own;
        }
        return ConnectionManager.open(pd, region, CmTimes.LINUX, own);
    }

    private void watch(Context now) {
        now.asyncEvent().whenDone(event -> {
            now.ackAsyncEvent(event);
            if (event.type() == AsyncEventType.DEVICE_FATAL) {
                transport.deviceFailed(number);
            } else {
                watch(now);
            }
        });
    }

    /** The device has failed; on the thread. Each connection hears of it from the connection manager. */
    void failed() {
        target.note("RDMA device " + device.name() + " has failed");
        failures++;
        lost = true;
        ready = false;
        waitsForPollers = false;
        ports.clear();
        Opened o = opened;
        if (o != null) {
            o.manager.deviceRemoved();
        }
        if (poller.state() == PollerState.UNREGISTERED) {
            poller.register(target.limits().acceptorPollPs());
        }
    }

    /** On the thread. */
    void start() {
        Opened o = opened;
        if (lost && o != null) {
            o.manager.deviceRemoved();
            return;
        }
        if (poller.state() == PollerState.UNREGISTERED) {
            poller.register(target.limits().acceptorPollPs());
        }
        if (failures > 0) {
            waitsForPollers = true;
            return;
        }
        ready = true;
        listen();
    }

    private int poll(Poller self) {
        if (lost) {
            if (device.isPresent() && transport.isQuiet(device)) {
                lost = false;
                context = device.open(target.app().reactor().core());
                transport.reopen(device);
                waitsForPollers = false;
                open();
                return 1;
            }
            return 0;
        }
        Opened o = opened;
        if (o == null) {
            return 0;
        }
        if (waitsForPollers && transport.isReady(device)) {
            waitsForPollers = false;
            ready = true;
            listen();
        }
        return o.manager.poll() ? 1 : 0;
    }

    /** Listens at the ports of all listeners that this device has the address of, and at no others. */
    void listen() {
        Opened o = opened;
        if (o == null || !ready) {
            return;
        }
        ConnectionManager cm = o.manager;
        List<Integer> wanted = new ArrayList<>();
        for (Subsystem s : target.subsystems()) {
            for (TransportId l : s.listeners()) {
                boolean here = device.port(1).gids().stream().anyMatch(l::isAt);
                if (here && !wanted.contains(l.port())) {
                    wanted.add(l.port());
                }
            }
        }
        for (int port : List.copyOf(ports)) {
            if (!wanted.contains(port)) {
                cm.unlisten(port);
                ports.remove((Integer) port);
            }
        }
        for (int port : wanted) {
            if (!ports.contains(port)) {
                cm.listen(port, this::happened);
                ports.add(port);
            }
        }
    }

    private void happened(CmEvent e) {
        switch (e.type()) {
            case CONNECT_REQUEST -> requested(e);
            case DISCONNECTED, UNREACHABLE, CONNECT_ERROR, REJECTED, DEVICE_REMOVAL -> {
                RdmaQpair q = transport.find(e.id());
                if (q != null) {
                    transport.lost(q);
                }
            }
            default -> {}
        }
    }

    /**
     * Looks at what a host wants. A wrong length of the private data cannot be seen: the connection manager's message always has all of
     * them.
     */
    private void requested(CmEvent e) {
        CmReq req = e.id().request();
        byte[] told = e.privateData().bytes(RdmaPrivateData.BYTES);
        int refusal = RdmaPrivateData.refusal(told, 0, told.length);
        IpCmHeader ip = IpCmHeader.read(req.privateData());
        if (refusal != 0 || ip == null) {
            reject(e.id(), refusal == 0 ? RdmaPrivateData.BAD_LENGTH : refusal);
            return;
        }
        RdmaPrivateData.Request wanted = RdmaPrivateData.request(told, 0);
        int wrong = wrong(req, wanted);
        if (wrong != 0) {
            reject(e.id(), wrong);
            return;
        }
        DeviceAttributes can = device.attributes();
        TransportSpec limits = target.limits();
        int depth = Math.min(Math.min(limits.maxQueueDepth(), can.maxQpWr() / 2), wanted.sends());
        if (!target.isLinux()) {
            depth = Math.min(depth, wanted.receives());
        }
        int reads = Math.min(Math.min(limits.maxQueueDepth(), can.maxQpInitRdAtomic()), req.responderResources());
        TransportId at = at(ip.destination(), ServiceId.port(req.serviceId()));
        RdmaQpair.Terms terms = new RdmaQpair.Terms(wanted.queue() == 0, at, ip.destination(), depth, 2 * depth, reads);
        transport.connect(new Wish(e.id(), number, terms));
    }

    /** The host answers our READs, so what counts is how many it says it can answer. */
    private int wrong(CmReq req, RdmaPrivateData.Request wanted) {
        if (target.isLinux() && wanted.queue() == 0 && wanted.sends() > LINUX_ADMIN_DEPTH) {
            return RdmaPrivateData.BAD_SEND_SIZE;
        }
        if (wanted.receives() == 0) {
            return RdmaPrivateData.BAD_RECEIVE_SIZE;
        }
        if (req.responderResources() == 0) {
            return RdmaPrivateData.BAD_READS;
        }
        return transport.pending() >= target.limits().acceptorBacklog() ? RdmaPrivateData.NO_RESOURCES : 0;
    }

    private void reject(CmId id, int reason) {
        target.note("connection refused, reason " + reason);
        id.reject(PrivateData.of(RdmaPrivateData.reject(reason)));
    }

    private static TransportId at(Gid gid, int port) {
        if (!gid.isIpv4()) {
            return new TransportId("RDMA", "IPv6", gid.toString(), Integer.toString(port));
        }
        int a = gid.ipv4();
        String text = (a >>> 24) + "." + ((a >>> 16) & 0xFF) + "." + ((a >>> 8) & 0xFF) + "." + (a & 0xFF);
        return TransportId.rdma(text, port);
    }
}

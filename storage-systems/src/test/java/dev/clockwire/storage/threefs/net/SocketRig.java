package dev.clockwire.storage.threefs.net;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.check.monitor.Findings;
import dev.clockwire.storage.check.monitor.Monitors;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Two machines with a socket between them, and a registered buffer each. */
final class SocketRig {
    static final int BYTES = 1 << 20;
    private static final int PORT = 8000;
    private static final EnumSet<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);

    final Cluster cluster;
    final End client;
    final End server;
    /** What invariants of verbs and wire were broken. */
    final Findings findings = new Monitors().findings();

    /** Makes sockets. */
    @FunctionalInterface
    interface Making {
        IbSocket make(Node node, WireCount wire, IbSocketSpec spec, SocketMemory memory, SocketUser user);
    }

    private final Making making;

    /** One end, and what it has heard. */
    static final class End implements SocketUser {
        final Node node;
        final List<Integer> received = new ArrayList<>();
        final List<Integer> words = new ArrayList<>();
        final List<Integer> lengths = new ArrayList<>();
        int broken;
        long brokenPs;
        private @Nullable IbSocket socket;
        private @Nullable MemoryRegion region;

        End(Node node) {
            this.node = node;
        }

        IbSocket socket() {
            return Objects.requireNonNull(socket);
        }

        MemoryRegion region() {
            return Objects.requireNonNull(region);
        }

        private void open() {
            long va = node.allocate("buffer", BYTES, Allocation.Kind.REAL);
            node.pd().regMr(va, BYTES, ACCESS).whenDone(made -> region = made);
        }

        boolean isOpen() {
            return socket != null && socket.isOpen();
        }

        @Override
        public void received(byte[] bytes, int length) {
            received.add(length);
        }

        @Override
        public void noticed(int word, int length) {
            words.add(word);
            lengths.add(length);
        }

        @Override
        public void established() {}

        @Override
        public void broken() {
            broken++;
            brokenPs = node.worker(0).now();
        }
    }

    /** Connects a client to a server with sizes of their own. */
    SocketRig(IbSocketSpec ofClient, IbSocketSpec ofServer, boolean soft) {
        this(ofClient, ofServer, soft, FaultPlan.NONE, IbSocket::new, true);
    }

    /** The same with faults, sockets of another make, and invariants that are watched or not. */
    SocketRig(
            IbSocketSpec ofClient,
            IbSocketSpec ofServer,
            boolean soft,
            FaultPlan faults,
            Making making,
            boolean watched) {
        this(ofClient, ofServer, soft, faults, making, watched, true);
    }

    /** Boots two machines whose line has faults; they are not connected. */
    static SocketRig unconnected(IbSocketSpec spec, FaultPlan faults) {
        return new SocketRig(spec, spec, true, faults, IbSocket::new, true, false);
    }

    private SocketRig(
            IbSocketSpec ofClient,
            IbSocketSpec ofServer,
            boolean soft,
            FaultPlan faults,
            Making making,
            boolean watched,
            boolean connected) {
        this.making = making;
        LabSpec lab = LabSpec.of(3).withFaults(faults);
        NodeSpec software = NodeSpec.of(WorkerSpec.sleeping());
        ClusterSpec spec = ClusterSpec.of(Profiles.named("cx7-400g"), soft ? lab.withSoft(SoftSpec.usual()) : lab, 1, 1)
                .withSoftware(software, software);
        cluster = new Cluster(spec.withDisk(spec.ssd(), DiskKind.MEDIA));
        if (watched) {
            cluster.watch(findings);
        }
        client = new End(cluster.clients().get(0));
        server = new End(cluster.nodes().get(0));
        server.node.run(n -> {
            server.open();
            n.connector().paths(Mtu.MTU_4096, ofServer.timeoutCode());
            n.connector().listen(PORT, e -> happened(e, ofServer));
        });
        client.node.run(n -> {
            client.open();
            n.connector().paths(Mtu.MTU_4096, ofClient.timeoutCode());
        });
        cluster.boot();
        cluster.settle();
        if (connected) {
            dial(ofClient);
            cluster.await(() -> client.isOpen() && server.isOpen(), "a connection");
            cluster.settle();
            cluster.wire().restart();
        }
    }

    /** Begins to connect. */
    void dial(IbSocketSpec ofClient) {
        client.node
                .worker(0)
                .post(
                        (a, b) -> {
                            client.socket = making.make(
                                    client.node, cluster.wire(), ofClient, new SocketMemory(ofClient), client);
                            client.socket().connect(server.node, PORT);
                        },
                        0,
                        0);
    }

    private void happened(CmEvent e, IbSocketSpec spec) {
        if (e.type() == CmEventType.CONNECT_REQUEST) {
            server.socket = making.make(server.node, cluster.wire(), spec, new SocketMemory(spec), server);
            server.socket().accept(e.id());
        } else {
            server.socket().happened(e);
        }
    }

    /** Runs something on the client's core. */
    void onClient(Runnable what) {
        client.node.worker(0).post((a, b) -> what.run(), 0, 0);
    }

    /** Has the server's core do something else for a time. */
    void busy(long ps) {
        server.node.worker(0).post((a, b) -> server.node.worker(0).core().charge(ps), 0, 0);
    }

    /** Returns ranges of the client's buffer and their places in the server's. */
    List<RdmaRange> ranges(int count, int bytes) {
        List<RdmaRange> ranges = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long off = (long) i * bytes;
            ranges.add(new RdmaRange(
                    client.region().address() + off,
                    bytes,
                    client.region().lkey(),
                    server.region().address() + off,
                    server.region().rkey()));
        }
        return ranges;
    }
}

package dev.clockwire.storage.ceph.stream;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.MessageName;
import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.ceph.CephModel;
import dev.clockwire.storage.ceph.CephSpec;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A server that listens, and clients with a stream to it each; nothing but the transport. */
final class StreamRig {
    static final long US = 1_000_000L;

    final Cluster cluster;
    final List<RdmaStack> stacks = new ArrayList<>();
    final List<Ear> served = new ArrayList<>();
    final List<Ear> clients = new ArrayList<>();
    private final Maker maker;
    private int ready;

    /** Makes the stacks. */
    @FunctionalInterface
    interface Maker {
        RdmaStack make(Node node, WireCount wire, StreamSpec spec);
    }

    /** One end of a stream, and what it has heard. */
    static final class Ear implements StreamUser {
        final Payload heard = new Payload();
        final List<Long> times = new ArrayList<>();
        final Node node;
        private @Nullable RdmaStream stream;
        int opened;
        int broken;

        Ear(Node node) {
            this.node = node;
        }

        void use(RdmaStream s) {
            stream = s;
        }

        RdmaStream stream() {
            return Objects.requireNonNull(stream);
        }

        @Override
        public void opened() {
            opened++;
        }

        @Override
        public void received(Payload bytes) {
            heard.appendFrom(bytes, 0, bytes.length());
            times.add(node.worker(0).now());
        }

        @Override
        public void broken() {
            broken++;
        }
    }

    StreamRig(StreamSpec spec, boolean soft, int count) {
        this(spec, soft, count, KernelMode.ACTIVITY);
    }

    StreamRig(StreamSpec spec, boolean soft, int count, KernelMode mode) {
        this(spec, soft, count, new LabSpec(SimSpec.of(3), PayloadMode.SIZES, 0).withMode(mode), RdmaStack::new);
    }

    StreamRig(StreamSpec spec, boolean soft, int count, LabSpec lab, Maker maker) {
        this.maker = maker;
        var software = CephSpec.software(spec.reactor() ? CephModel.CRIMSON_RDMA : CephModel.CLASSIC);
        ClusterSpec c = ClusterSpec.of(
                        Profiles.named("cx7-400g"), soft ? lab.withSoft(SoftSpec.usual()) : lab, 1, count)
                .withSoftware(software, software);
        cluster = new Cluster(c.withDisk(c.ssd(), DiskKind.MEDIA));
        Node server = cluster.nodes().get(0);
        program(
                server,
                spec,
                () -> stacks.get(0).listen(stream -> {
                    Ear e = new Ear(server);
                    e.use(stream);
                    served.add(e);
                    return e;
                }));
        cluster.clients().forEach(n -> program(n, spec, () -> {}));
        cluster.boot();
        cluster.await(() -> ready == 1 + count, "stacks that have begun");
        for (int i = 0; i < count; i++) {
            Ear e = connect(i, server);
            cluster.await(() -> e.opened + e.broken > 0, "a stream");
        }
        cluster.settle();
    }

    private void program(Node node, StreamSpec spec, Runnable then) {
        node.run(n -> {
            RdmaStack s = maker.make(n, cluster.wire(), spec);
            while (stacks.size() <= order(n)) {
                stacks.add(s);
            }
            stacks.set(order(n), s);
            s.start(() -> {
                then.run();
                ready++;
            });
        });
    }

    private int order(Node n) {
        return n.number();
    }

    private Ear connect(int client, Node server) {
        Node n = cluster.clients().get(client);
        Ear e = new Ear(n);
        clients.add(e);
        n.worker(0).post((a, b) -> e.use(stacks.get(1 + client).connect(server, e)), 0, 0);
        return e;
    }

    static Payload extent(int tag, int bytes) {
        Payload p = new Payload();
        p.appendExtent(9, tag, 0, bytes);
        return p;
    }

    /** Sends an extent from a client, now. */
    void send(int client, int tag, int bytes) {
        Ear e = clients.get(client);
        e.node.worker(0).post((a, b) -> e.stream().send(extent(tag, bytes), MessageName.NONE), 0, 0);
    }

    void run(long us) {
        cluster.sim().run(cluster.sim().now() + us * US);
    }

    RdmaStack server() {
        return stacks.get(0);
    }
}

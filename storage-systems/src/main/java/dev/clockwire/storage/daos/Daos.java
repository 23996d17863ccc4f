package dev.clockwire.storage.daos;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.check.monitor.ProtocolEvents;
import dev.clockwire.storage.check.monitor.TransactionEvents;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.daos.client.DaosClient;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxRules;
import dev.clockwire.storage.daos.engine.DtxTap;
import dev.clockwire.storage.daos.engine.Engine;
import dev.clockwire.storage.daos.engine.Watch;
import dev.clockwire.storage.daos.ofi.OfiSpec;
import dev.clockwire.storage.daos.pool.DaosNet;
import dev.clockwire.storage.daos.pool.PoolService;
import dev.clockwire.storage.daos.vos.VosDisk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A DAOS on a cluster with one manager: an engine on each node, a client on each client. An engine that restarts finds what is durable and nothing else. */
public final class Daos {
    /** Bounce buffers of a client: one endpoint of few peers needs fewer than a server. */
    private static final int CLIENT_RECEIVES = 128;

    private final Cluster cluster;
    private final DaosNet net;
    private final Map<Integer, Engine> engines = new TreeMap<>();
    private final Map<Integer, DaosClient> clients = new TreeMap<>();
    private final List<PoolService> managers = new ArrayList<>();
    private final DaosSpec spec;
    private final int replicas;
    private final DtxTap tap;
    private final Map<Integer, List<VosDisk>> disks = new TreeMap<>();
    private ProtocolEvents events = new ProtocolEvents() {};
    private TransactionEvents transactions = TransactionEvents.NONE;
    private DtxRules rules = new DtxRules();
    private int ready;

    /**
     * Places a DAOS on a cluster that nothing runs on; {@link #start} begins.
     *
     * @param replicas of each value, RP_n
     * @throws ConfigurationException if there are fewer nodes than replicas, or no manager
     */
    public Daos(Cluster cluster, DaosSpec spec, int replicas, DtxTap tap) {
        this.cluster = cluster;
        this.spec = spec;
        this.replicas = replicas;
        this.tap = tap;
        int n = cluster.nodes().size();
        if (replicas < 1 || replicas > n) {
            throw new ConfigurationException(
                    "daos: " + replicas + " replicas on " + n + " storage nodes: must be 1 to " + n);
        }
        if (cluster.managers().isEmpty()) {
            throw new ConfigurationException("daos: the cluster has no manager");
        }
        net = new DaosNet(cluster);
        if (cluster.spec().node().workers() < spec.cores()) {
            throw new ConfigurationException("daos: engines of " + spec.cores() + " cores on nodes of "
                    + cluster.spec().node().workers() + ": must have as many");
        }
        for (Node node : cluster.nodes()) {
            List<VosDisk> own = new ArrayList<>();
            for (int t = 0; t < spec.targets(); t++) {
                own.add(new VosDisk());
            }
            disks.put(node.number(), own);
            node.disk().lanes(spec.targets());
        }
    }

    /** Tells somebody what invariants are about; to be called before the start. */
    public void watch(ProtocolEvents ofReplicas, TransactionEvents ofTransactions) {
        events = ofReplicas;
        transactions = ofTransactions;
    }

    /** Has engines decide in another way: for tests. */
    void decideBy(DtxRules other) {
        rules = other;
    }

    private void programs() {
        Watch watch = new Watch(tap, cluster::step, events, transactions, cluster.operations());
        List<Integer> numbers = cluster.nodes().stream().map(Node::number).toList();
        net.manager().run(m -> {
            PoolService s = new PoolService(
                    m,
                    net,
                    spec.ofi(),
                    spec.rpc(),
                    spec.times(),
                    replicas,
                    spec.targets(),
                    (ps, map) -> watch.map(ps, map, numbers));
            managers.add(s);
            s.start();
        });
        for (Node node : cluster.nodes()) {
            List<VosDisk> own = disks.getOrDefault(node.number(), List.of());
            node.run(e -> {
                Engine engine = new Engine(e, net, spec, own, watch, rules);
                engines.put(e.number(), engine);
                engine.start();
            });
        }
        OfiSpec small = spec.ofi()
                .withBuffers(
                        Math.min(CLIENT_RECEIVES, spec.ofi().receives()),
                        spec.ofi().sends());
        for (Node node : cluster.clients()) {
            node.run(c -> {
                DaosClient client = new DaosClient(c, net, spec.withOfi(small), watch);
                clients.put(c.number(), client);
                client.start(() -> ready++);
            });
        }
    }

    /** Boots all machines, and runs the simulation until everybody is connected. */
    public void start() {
        programs();
        cluster.boot();
        cluster.await(() -> ready == cluster.clients().size(), "clients that know the pool map");
        cluster.await(
                () -> engines.size() == net.engines()
                        && engines.values().stream().allMatch(Engine::isJoined),
                "engines that have joined");
        cluster.await(() -> engines.values().stream().allMatch(Engine::isConnected), "engines that are connected");
        for (Node node : cluster.clients()) {
            node.worker(0).post((a, b) -> client(node).connect(), 0, 0);
        }
        cluster.await(
                () -> cluster.clients().stream().allMatch(node -> client(node).isConnected()),
                "clients that are connected");
        cluster.settle();
    }

    /** Returns the client on a node. */
    public DaosClient client(Node node) {
        DaosClient c = clients.get(node.number());
        if (c == null) {
            throw new ConfigurationException(node.name() + " runs no client");
        }
        return c;
    }

    /** Returns the engine on a node, of its last incarnation. */
    public Engine engine(Node node) {
        Engine e = engines.get(node.number());
        if (e == null) {
            throw new ConfigurationException(node.name() + " runs no engine");
        }
        return e;
    }

    /** Returns what it is. */
    DaosSpec spec() {
        return spec;
    }

    /** Returns the pool service. */
    public PoolService manager() {
        return managers.get(managers.size() - 1);
    }

    /** Returns the cluster. */
    public Cluster cluster() {
        return cluster;
    }
}

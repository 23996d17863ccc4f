package dev.clockwire.storage.threefs;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.check.monitor.ProtocolEvents;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.chunk.ChunkDisk;
import dev.clockwire.storage.threefs.client.StorageClient;
import dev.clockwire.storage.threefs.meta.FileClient;
import dev.clockwire.storage.threefs.meta.MetaService;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.Mgmtd;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.mgmtd.TargetState;
import dev.clockwire.storage.threefs.rpc.SlotShares;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import dev.clockwire.storage.threefs.server.ServiceSpec;
import dev.clockwire.storage.threefs.server.StorageService;
import dev.clockwire.storage.threefs.server.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * A 3FS on a cluster with one manager: chains over the nodes in turn, a storage service on each node, a storage client on each client. A service that
 * restarts finds what its disk holds and nothing else.
 */
public final class ThreeFs {
    /** What FoundationDB takes for a small transaction: a few milliseconds on disks, less in memory; an assumption (C). */
    private static final long META_PS = 1_000_000_000L;

    private final Cluster cluster;
    private final ServiceSpec spec;
    private final int replicas;
    private final ProtocolTap tap;
    private final List<Chain> chains = new ArrayList<>();
    private final Map<Integer, Node> nodes = new TreeMap<>();
    private final Map<Integer, Map<Integer, ChunkDisk>> disks = new TreeMap<>();
    private final Map<Integer, StorageService> services = new TreeMap<>();
    private final Map<Integer, StorageClient> clients = new TreeMap<>();
    private final List<Mgmtd> managers = new ArrayList<>();
    private ProtocolEvents events = new ProtocolEvents() {};
    private Making making = new Making() {};
    private int ready;
    private boolean onUse;

    /** Makes the services and clients of all incarnations. */
    interface Making {
        /** Makes a storage service. */
        default StorageService service(Node node, ServiceSpec spec, StorageService.Cast cast) {
            return new StorageService(node, spec, cast);
        }

        /** Makes a storage client. */
        default StorageClient client(Node node, ServiceSpec spec, StorageClient.Cast cast) {
            return new StorageClient(node, spec, cast);
        }
    }

    /**
     * Places chains on a cluster that nothing runs on; {@link #start} begins.
     *
     * @param count chains
     * @param replicas targets of each, on nodes next to each other
     * @throws ConfigurationException if there are fewer nodes than replicas, or no manager
     */
    public ThreeFs(Cluster cluster, ServiceSpec spec, int count, int replicas, ProtocolTap tap) {
        this(cluster, spec, inTurn(count, replicas, cluster.nodes().size()), replicas, tap);
    }

    /**
     * Places chains on chosen nodes.
     *
     * @param places for each chain its storage nodes, counted from 0, head first
     * @param replicas targets of each
     * @throws ConfigurationException if a chain has another number of targets, names a node twice or one that is not there, or the cluster has no manager
     */
    public ThreeFs(Cluster cluster, ServiceSpec spec, List<List<Integer>> places, int replicas, ProtocolTap tap) {
        this.cluster = cluster;
        this.spec = spec;
        this.replicas = replicas;
        int n = cluster.nodes().size();
        if (replicas < 1 || replicas > n) {
            throw new ConfigurationException(
                    "3fs: " + replicas + " replicas on " + n + " storage nodes: must be 1 to " + n);
        }
        if (cluster.managers().isEmpty()) {
            throw new ConfigurationException("3fs: the cluster has no manager");
        }
        for (Node node : cluster.nodes()) {
            nodes.put(node.number(), node);
        }
        for (int c = 1; c <= places.size(); c++) {
            List<Integer> place = places.get(c - 1);
            check(c, place, replicas, n);
            List<Target> targets = new ArrayList<>();
            for (int r = 0; r < replicas; r++) {
                int node = cluster.nodes().get(place.get(r)).number();
                targets.add(new Target(c * replicas + r, node, TargetState.SERVING));
                disks.computeIfAbsent(node, k -> new TreeMap<>()).put(c, new ChunkDisk());
            }
            chains.add(new Chain(c, 1, targets));
        }
        this.tap = tap;
    }

    /** Returns the places of chains over nodes in turn. */
    public static List<List<Integer>> inTurn(int count, int replicas, int nodes) {
        List<List<Integer>> places = new ArrayList<>();
        for (int c = 0; c < count; c++) {
            List<Integer> place = new ArrayList<>();
            for (int r = 0; r < replicas; r++) {
                place.add((c + r) % nodes);
            }
            places.add(place);
        }
        return places;
    }

    private static void check(int chain, List<Integer> place, int replicas, int nodes) {
        if (place.size() != replicas) {
            throw new ConfigurationException("3fs: chain " + chain + " has " + place.size() + " targets: must be "
                    + replicas + ", one a replica");
        }
        for (int r = 0; r < replicas; r++) {
            int node = place.get(r);
            if (node < 0 || node >= nodes) {
                throw new ConfigurationException(
                        "3fs: chain " + chain + " names storage node " + node + ": must be 0 to " + (nodes - 1));
            }
            if (place.indexOf(node) != r) {
                throw new ConfigurationException(
                        "3fs: chain " + chain + " names storage node " + node + " twice: one target a node");
            }
        }
    }

    /** Tells somebody what invariants are about; to be called before the start. */
    public void watch(ProtocolEvents who) {
        events = who;
    }

    /** Has somebody else make services and clients; to be called before the start. */
    void making(Making who) {
        making = who;
    }

    private void programs() {
        Watch watch = new Watch(tap, cluster::step, events, cluster.operations());
        Node manager = cluster.managers().get(0);
        manager.run(n -> {
            MetaService meta = new MetaService(chains.size(), spec.chunkBytes(), META_PS);
            Mgmtd m = new Mgmtd(
                    n,
                    cluster.wire(),
                    spec.socket(),
                    spec.times(),
                    chains,
                    watch::table,
                    (from, asked) ->
                            n.worker(0).after(meta.transactionPs(), (a, b) -> from.answer(meta.answer(asked)), 0, 0));
            managers.add(m);
            m.start();
        });
        for (Node node : cluster.nodes()) {
            Map<Integer, ChunkDisk> own = disks.computeIfAbsent(node.number(), k -> new TreeMap<>());
            StorageService.Cast cast = new StorageService.Cast(
                    manager,
                    nodes,
                    cluster.wire(),
                    own,
                    watch,
                    new SlotShares(cluster.clients().size(), nodes.size(), replicas));
            node.run(n -> {
                StorageService s = making.service(n, spec, cast);
                services.put(n.number(), s);
                s.start();
            });
        }
        for (Node node : cluster.clients()) {
            node.run(n -> {
                StorageClient c = making.client(n, spec, new StorageClient.Cast(manager, nodes, cluster.wire(), watch));
                clients.put(n.number(), c);
                c.start(() -> ready++);
            });
        }
    }

    /** Boots all machines, and runs the simulation until every client knows the chains, and is connected to their nodes unless it does that on first use. */
    public void start() {
        programs();
        cluster.boot();
        cluster.await(() -> ready == cluster.clients().size(), "clients that know the chains");
        List<Node> servers = cluster.nodes();
        await(
                servers.size(),
                i -> services.containsKey(servers.get(i).number())
                        && service(servers.get(i)).isConnected(),
                "services that are connected");
        if (!onUse) {
            connectClients();
        }
        cluster.settle();
    }

    private void connectClients() {
        List<Node> users = cluster.clients();
        for (Node node : users) {
            node.worker(0).post((a, b) -> chains.forEach(c -> client(node).connect(c.id())), 0, 0);
        }
        int each = chains.size();
        await(
                users.size() * each,
                i -> client(users.get(i / each))
                        .isConnected(chains.get(i % each).id()),
                "clients that are connected");
    }

    /** Waits until something was so of each; asked behind every instant, so only of the first of which it was not yet. */
    private void await(int count, IntPredicate is, String words) {
        int[] first = {0};
        cluster.await(
                () -> {
                    while (first[0] < count && is.test(first[0])) {
                        first[0]++;
                    }
                    return first[0] == count;
                },
                words);
    }

    /** Has clients connect to a node when they first ask it, as those of the real system do; to be called before the start. */
    public void connectOnUse() {
        onUse = true;
    }

    /** Returns the client on a node. */
    public StorageClient client(Node node) {
        StorageClient c = clients.get(node.number());
        if (c == null) {
            throw new ConfigurationException(node.name() + " runs no storage client");
        }
        return c;
    }

    /** Returns files for the client on a node. */
    public FileClient files(Node node) {
        return new FileClient(client(node));
    }

    /** Returns the service on a node, of its last incarnation. */
    public StorageService service(Node node) {
        StorageService s = services.get(node.number());
        if (s == null) {
            throw new ConfigurationException(node.name() + " runs no storage service");
        }
        return s;
    }

    /** Returns the manager. */
    public Mgmtd manager() {
        return managers.get(managers.size() - 1);
    }

    /** Returns the chains as they were in the beginning. */
    public List<Chain> chains() {
        return List.copyOf(chains);
    }

    /** Returns the storage nodes. */
    List<Node> nodes() {
        return cluster.nodes();
    }

    /** Returns the cluster. */
    public Cluster cluster() {
        return cluster;
    }

    /** Returns whether all targets of all chains serve, but for those whose disks or machines are lost for good: their chains go on without them. */
    public boolean isWhole() {
        return manager().routing().chains().stream()
                .allMatch(c -> c.targets().stream().allMatch(t -> isSettled(c.id(), t)));
    }

    private boolean isSettled(int chain, Target t) {
        Node node = nodes.get(t.node());
        StorageService s = services.get(t.node());
        boolean lost = (node != null && node.isGone()) || (s != null && s.isLost(chain));
        boolean away = t.state() == TargetState.OFFLINE || t.state() == TargetState.LASTSRV;
        return lost ? away : t.state() == TargetState.SERVING;
    }

    /** Returns what its services are. */
    ServiceSpec spec() {
        return spec;
    }
}

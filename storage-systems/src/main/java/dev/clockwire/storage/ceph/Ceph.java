package dev.clockwire.storage.ceph;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.ceph.check.CephEvents;
import dev.clockwire.storage.ceph.client.RadosClient;
import dev.clockwire.storage.ceph.osd.Monitor;
import dev.clockwire.storage.ceph.osd.Osd;
import dev.clockwire.storage.ceph.osd.OsdSpec;
import dev.clockwire.storage.ceph.osd.OsdTap;
import dev.clockwire.storage.ceph.osd.Watch;
import dev.clockwire.storage.ceph.store.PgDisk;
import dev.clockwire.storage.ceph.stream.RdmaStack;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A Ceph on a cluster with one manager, the monitor's: an OSD on each node, placement groups over the nodes in turn, a client on each client. */
public final class Ceph {
    private final Cluster cluster;
    private final CephSpec spec;
    private final Map<Integer, Node> nodes = new TreeMap<>();
    private final Map<Integer, Map<Integer, PgDisk>> disks = new TreeMap<>();
    private final Map<Integer, Osd> osds = new TreeMap<>();
    private final Map<Integer, RadosClient> clients = new TreeMap<>();
    private final List<Monitor> monitors = new ArrayList<>();
    private final OsdTap tap;
    private CephEvents events = new CephEvents() {};
    private Making making = Osd::new;
    private int ready;

    /** Makes the OSDs of all incarnations. */
    @FunctionalInterface
    interface Making {
        /** Makes an OSD. */
        Osd osd(Node node, OsdSpec spec, Osd.Cast cast);
    }

    /**
     * Places groups on a cluster that nothing runs on; {@link #start} begins.
     *
     * @throws ConfigurationException if there are fewer nodes than replicas, no manager, or too few cores
     */
    public Ceph(Cluster cluster, CephSpec spec, OsdTap tap) {
        this.cluster = cluster;
        this.spec = spec;
        int n = cluster.nodes().size();
        if (spec.replicas() > n) {
            throw new ConfigurationException(
                    "ceph: " + spec.replicas() + " replicas on " + n + " storage nodes: must be 1 to " + n);
        }
        if (cluster.managers().isEmpty()) {
            throw new ConfigurationException("ceph: the cluster has no manager for the monitor");
        }
        RdmaStack.check("a node", cluster.spec().node().workers(), spec.osd().streams());
        RdmaStack.check(
                "a client", cluster.spec().client().workers(), spec.osd().streams());
        if (spec.osd().shards() > cluster.spec().node().workers()) {
            throw new ConfigurationException("ceph: " + spec.osd().shards() + " reactors on "
                    + cluster.spec().node().workers() + " workers of a node: each takes one");
        }
        for (Node node : cluster.nodes()) {
            nodes.put(node.number(), node);
            disks.put(node.number(), new TreeMap<>());
        }
        for (int pg = 0; pg < spec.pgs(); pg++) {
            for (int r = 0; r < spec.replicas(); r++) {
                Node node = cluster.nodes().get((pg + r) % n);
                disksOf(node).put(pg, new PgDisk());
            }
        }
        this.tap = tap;
    }

    /** Tells somebody what invariants are about; to be called before the start. */
    public void watch(CephEvents who) {
        events = who;
    }

    private Map<Integer, PgDisk> disksOf(Node node) {
        return java.util.Objects.requireNonNull(disks.get(node.number()));
    }

    /** Has somebody else make OSDs; to be called before the start. */
    void making(Making who) {
        making = who;
    }

    private void programs() {
        Watch watch = new Watch(tap, cluster::step, events, cluster.operations());
        Node manager = cluster.managers().get(0);
        manager.run(n -> {
            Monitor m = new Monitor(
                    n,
                    cluster.wire(),
                    spec.osd().streams(),
                    spec.osd().messenger(),
                    List.copyOf(nodes.keySet()),
                    spec.pgs(),
                    spec.replicas(),
                    watch);
            monitors.add(m);
            m.start();
        });
        for (Node node : cluster.nodes()) {
            Osd.Cast cast = new Osd.Cast(manager, nodes, cluster.wire(), disksOf(node), watch);
            node.run(n -> {
                Osd o = making.osd(n, spec.osd(), cast);
                osds.put(n.number(), o);
                o.start();
            });
        }
        for (Node node : cluster.clients()) {
            node.run(n -> {
                RadosClient c = new RadosClient(n, manager, nodes, cluster.wire(), spec.osd(), watch);
                clients.put(n.number(), c);
                c.start(() -> ready++);
            });
        }
    }

    /** Boots all machines, and runs the simulation until every group is active and every client is connected to all OSDs. */
    public void start() {
        programs();
        cluster.boot();
        cluster.await(() -> ready == cluster.clients().size(), "clients that know the map");
        cluster.await(this::isQuiet, "placement groups that are active");
        for (Node node : cluster.clients()) {
            node.worker(0).post((a, b) -> client(node).connect(), 0, 0);
        }
        cluster.await(() -> clients.values().stream().allMatch(RadosClient::isConnected), "clients that are connected");
        clients.values().forEach(RadosClient::connected);
        cluster.settle();
    }

    /** Returns the client on a node. */
    public RadosClient client(Node node) {
        RadosClient c = clients.get(node.number());
        if (c == null) {
            throw new ConfigurationException(node.name() + " runs no client");
        }
        return c;
    }

    /** Returns the OSD on a node, of its last incarnation. */
    public Osd osd(Node node) {
        Osd o = osds.get(node.number());
        if (o == null) {
            throw new ConfigurationException(node.name() + " runs no OSD");
        }
        return o;
    }

    /** Returns the monitor. */
    public Monitor monitor() {
        return monitors.get(monitors.size() - 1);
    }

    /** Returns what is durable of a group on a node. */
    public PgDisk disk(Node node, int pg) {
        PgDisk d = disksOf(node).get(pg);
        if (d == null) {
            throw new ConfigurationException(node.name() + " holds no group " + pg);
        }
        return d;
    }

    /** Returns the nodes of a group, the primary of a whole cluster first. */
    public List<Node> places(int pg) {
        List<Node> all = new ArrayList<>();
        for (int r = 0; r < spec.replicas(); r++) {
            all.add(cluster.nodes().get((pg + r) % cluster.nodes().size()));
        }
        return all;
    }

    /** Returns whether all OSDs are up but for those on machines that are gone for good, their groups whole, and nothing is under way between them. */
    public boolean isQuiet() {
        return osds.size() == nodes.size() && cluster.nodes().stream().allMatch(this::isQuiet);
    }

    private boolean isQuiet(Node n) {
        boolean up = monitor().map().isUp(n.number());
        return n.isGone()
                ? !up
                : up && n.isRunning() && osd(n).isQuiet(monitor().map().epoch());
    }

    /** Returns the chunks of all processes that run, for whoever looks whether all come back. */
    List<Pool> pools() {
        List<Pool> all = new ArrayList<>(monitor().stack().pools());
        cluster.nodes().stream()
                .filter(Node::isRunning)
                .forEach(n -> all.addAll(osd(n).stack().pools()));
        cluster.clients().stream()
                .filter(Node::isRunning)
                .forEach(n -> all.addAll(client(n).stack().pools()));
        return all;
    }

    /** Returns the cluster. */
    public Cluster cluster() {
        return cluster;
    }

    /** Returns what it is. */
    public CephSpec spec() {
        return spec;
    }
}

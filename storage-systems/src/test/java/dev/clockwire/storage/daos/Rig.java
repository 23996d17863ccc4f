package dev.clockwire.storage.daos;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxRules;
import dev.clockwire.storage.daos.engine.DtxTap;
import java.util.ArrayList;
import java.util.List;

/** A DAOS with three replicas, and clients with a buffer each. */
final class Rig {
    static final int MOST = 4 << 20;
    final Cluster cluster;
    final Daos daos;
    final DaosSystem system;
    final WireCount wire;
    private final List<Long> buffers = new ArrayList<>();
    boolean known;
    long epoch;
    int length;
    long tookPs;

    static Cluster cluster(boolean soft, DiskKind disk, int nodes, int clients, long seed, FaultPlan faults) {
        return cluster(soft, disk, nodes, clients, seed, faults, 1);
    }

    static Cluster cluster(
            boolean soft, DiskKind disk, int nodes, int clients, long seed, FaultPlan faults, int cores) {
        LabSpec lab = LabSpec.of(seed).withFaults(faults);
        NodeSpec software = NodeSpec.of(WorkerSpec.polling());
        ClusterSpec spec = ClusterSpec.of(
                        Profiles.named("cx7-400g"), soft ? lab.withSoft(SoftSpec.usual()) : lab, nodes, clients)
                .withManagers(1)
                .withSoftware(software.withWorkers(cores), software);
        return new Cluster(spec.withDisk(spec.ssd(), disk));
    }

    Rig(DaosSpec spec, boolean soft, DiskKind disk, int clients, FaultPlan faults, DtxTap tap) {
        this(spec, new DtxRules(), soft, disk, clients, faults, tap);
    }

    Rig(DaosSpec spec, DtxRules rules, boolean soft, DiskKind disk, int clients, FaultPlan faults, DtxTap tap) {
        cluster = cluster(soft, disk, 3, clients, 5, faults, spec.cores());
        daos = new Daos(cluster, spec, 3, tap);
        daos.decideBy(rules);
        system = new DaosSystem("daos", daos);
        daos.start();
        wire = cluster.wire();
        for (Node n : cluster.clients()) {
            buffers.add(n.allocate("app", 2L * MOST, Allocation.Kind.BULK));
        }
    }

    static Rig quiet(DaosSpec spec) {
        return new Rig(spec, true, DiskKind.MEDIA, 1, FaultPlan.NONE, DtxTap.NONE);
    }

    private long fill(int client, int bytes, int tag) {
        byte[] b = new byte[bytes];
        for (int i = 0; i + 4 <= bytes; i += 4) {
            LittleEndian.put32(b, i, tag + i);
        }
        long va = buffers.get(client);
        cluster.clients().get(client).host().host().memory().putBytes(va, b, 0, bytes);
        return va;
    }

    void write(int client, long key, int bytes, int tag) {
        boolean[] done = begin(client, key, bytes, tag);
        cluster.await(() -> done[0], "a write that ends");
    }

    boolean[] begin(int client, long key, int bytes, int tag) {
        Node n = cluster.clients().get(client);
        long va = fill(client, bytes, tag);
        boolean[] done = new boolean[1];
        n.worker(0)
                .post(
                        (x, y) -> {
                            long begun = n.worker(0).now();
                            daos.client(n).write(key, va, bytes, (k, e, l) -> {
                                known = k;
                                epoch = e;
                                tookPs = n.worker(0).now() - begun;
                                done[0] = true;
                            });
                        },
                        0,
                        0);
        return done;
    }

    /** Reads a value; returns the tag of its first word, if all others follow from it. */
    int read(int client, long key, int bytes) {
        Node n = cluster.clients().get(client);
        long va = buffers.get(client) + MOST;
        boolean[] done = new boolean[1];
        n.worker(0)
                .post(
                        (x, y) -> {
                            long begun = n.worker(0).now();
                            daos.client(n).read(key, va, bytes, (k, e, l) -> {
                                known = k;
                                epoch = e;
                                length = l;
                                tookPs = n.worker(0).now() - begun;
                                done[0] = true;
                            });
                        },
                        0,
                        0);
        cluster.await(() -> done[0], "a read that ends");
        byte[] b = new byte[bytes];
        n.host().host().memory().getBytes(va, b, 0, bytes);
        int tag = LittleEndian.get32(b, 0);
        for (int i = 0; i + 4 <= length; i += 4) {
            if (LittleEndian.get32(b, i) != tag + i) {
                return -1;
            }
        }
        return tag;
    }

    /** Runs the simulation for some us: what was posted has left by then, and acknowledgements have come. */
    void run(long us) {
        cluster.sim().run(cluster.sim().now() + us * 1_000_000L);
    }

    /** Runs the simulation until all replicas are in service and nothing is under way. */
    DaosSystem rest() {
        cluster.await(system::isQuiet, "rest");
        run(20);
        return system;
    }
}

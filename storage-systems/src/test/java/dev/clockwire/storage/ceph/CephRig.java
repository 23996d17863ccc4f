package dev.clockwire.storage.ceph;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.ceph.osd.OsdTap;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;

/** A Ceph of three OSDs, and clients with a buffer each. */
final class CephRig {
    static final long US = 1_000_000L;
    static final long MS = 1_000 * US;

    final Cluster cluster;
    final Ceph ceph;
    long version;
    int length;

    /** Small pools: what a test does not use need not be registered. */
    static CephSpec spec() {
        return slow().quick();
    }

    /** The same with Ceph's waits: no heartbeat falls between. */
    static CephSpec slow() {
        CephSpec c = CephSpec.of(CephModel.CLASSIC, 1, 3);
        return c.withOsd(c.osd().withStreams(c.osd().streams().withPools(128, 512, 128)));
    }

    CephRig(CephSpec spec, boolean soft, int clients) {
        this(spec, soft, clients, FaultPlan.NONE, OsdTap.NONE, 5, 3);
    }

    CephRig(CephSpec spec, boolean soft, int clients, FaultPlan faults, OsdTap tap, long seed, int nodes) {
        LabSpec lab = new LabSpec(SimSpec.of(seed), PayloadMode.SIZES, 0).withFaults(faults);
        var software = CephSpec.software(spec.model());
        ClusterSpec c = ClusterSpec.of(
                        Profiles.named("cx7-400g"), soft ? lab.withSoft(SoftSpec.usual()) : lab, nodes, clients)
                .withManagers(1)
                .withSoftware(spec.software(), software);
        cluster = new Cluster(c.withDisk(c.ssd(), soft ? DiskKind.MEDIA : DiskKind.FULL));
        ceph = new Ceph(cluster, spec, tap);
    }

    CephRig start() {
        ceph.start();
        return this;
    }

    Node client() {
        return cluster.clients().get(0);
    }

    /** Writes an object of the first client, and waits. */
    void write(long oid, int bytes, int tag) {
        Node n = client();
        long va = n.allocate("w", bytes, Allocation.Kind.BULK);
        n.host().host().memory().fill(va, bytes, 7, tag);
        boolean[] done = new boolean[1];
        n.worker(0)
                .post(
                        (a, b) -> ceph.client(n).write(oid, va, bytes, (v, l) -> {
                            version = v;
                            done[0] = true;
                        }),
                        0,
                        0);
        cluster.await(() -> done[0], "a write that ends");
    }

    /** Reads an object; returns the tag of its content, -1 if that is none of one write. */
    long read(long oid, int bytes) {
        return read(client(), oid, bytes);
    }

    /** The same of another client. */
    long read(Node n, long oid, int bytes) {
        long va = n.allocate("r", bytes, Allocation.Kind.BULK);
        boolean[] done = new boolean[1];
        n.worker(0)
                .post(
                        (a, b) -> ceph.client(n).read(oid, va, bytes, (v, l) -> {
                            version = v;
                            length = l;
                            done[0] = true;
                        }),
                        0,
                        0);
        cluster.await(() -> done[0], "a read that ends");
        var p = new dev.clockwire.sim.mem.Payload();
        n.host().host().memory().look(va, bytes, p);
        return p.pieces() == 1 && !p.isBytes(0) && p.writer(0) == 7 ? p.sequence(0) : -1;
    }
}

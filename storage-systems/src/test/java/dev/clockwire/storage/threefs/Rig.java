package dev.clockwire.storage.threefs;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;
import dev.clockwire.storage.threefs.mgmtd.ThreeFsTimes;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import dev.clockwire.storage.threefs.server.ServiceSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** A 3FS with replicas on as many nodes, and clients with a buffer each. */
final class Rig {
    static final int SIZE = 4096;
    final Cluster cluster;
    final ThreeFs fs;
    final List<MemoryRegion> buffers = new ArrayList<>();
    Status status = Status.INVALID;
    int version;
    int length;

    static ServiceSpec service(DataPath path) {
        return ServiceSpec.threeFs(path, 16_384).withTimes(ThreeFsTimes.quick());
    }

    Rig(
            ServiceSpec service,
            boolean soft,
            DiskKind disk,
            int replicas,
            int clients,
            FaultPlan faults,
            ProtocolTap tap) {
        LabSpec lab = LabSpec.of(5).withFaults(faults);
        NodeSpec software = NodeSpec.of(WorkerSpec.sleeping());
        ClusterSpec spec = ClusterSpec.of(
                        Profiles.named("cx7-400g"), soft ? lab.withSoft(SoftSpec.usual()) : lab, replicas, clients)
                .withManagers(1)
                .withSoftware(software, software);
        cluster = new Cluster(spec.withDisk(spec.ssd(), disk));
        fs = new ThreeFs(cluster, service, 1, replicas, tap);
        fs.start();
        for (Node n : cluster.clients()) {
            int want = buffers.size() + 1;
            long va = n.allocate("iov", 2 * 65_536, Allocation.Kind.BULK);
            n.pd().regMr(
                            va,
                            2 * 65_536,
                            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE))
                    .whenDone(buffers::add);
            cluster.await(() -> buffers.size() == want, "registered");
        }
    }

    void write(int client, long key, int offset, int bytes, int tag) {
        Node n = cluster.clients().get(client);
        byte[] b = new byte[bytes];
        for (int i = 0; i + 4 <= bytes; i += 4) {
            LittleEndian.put32(b, i, tag);
        }
        long va = buffers.get(client).address();
        n.host().host().memory().putBytes(va, b, 0, bytes);
        boolean[] done = new boolean[1];
        n.worker(0)
                .post(
                        (x, y) -> fs.client(n).write(1, key, offset, va, bytes, buffers.get(client), (s, v, l) -> {
                            status = s;
                            version = v;
                            done[0] = true;
                        }),
                        0,
                        0);
        cluster.await(() -> done[0], "a write that ends");
    }

    /** Reads a chunk; returns the tag of its first word. */
    int read(int client, long key, int offset, int bytes) {
        Node n = cluster.clients().get(client);
        long va = buffers.get(client).address() + 65_536;
        boolean[] done = new boolean[1];
        n.worker(0)
                .post(
                        (x, y) -> fs.client(n).read(1, key, offset, va, bytes, buffers.get(client), (s, v, l) -> {
                            status = s;
                            version = v;
                            length = l;
                            done[0] = true;
                        }),
                        0,
                        0);
        cluster.await(() -> done[0], "a read that ends");
        byte[] b = new byte[4];
        n.host().host().memory().getBytes(va, b, 0, 4);
        return LittleEndian.get32(b, 0);
    }
}

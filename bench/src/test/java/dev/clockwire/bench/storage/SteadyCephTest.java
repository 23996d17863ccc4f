package dev.clockwire.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.ceph.Ceph;
import dev.clockwire.storage.ceph.CephModel;
import dev.clockwire.storage.ceph.CephSpec;
import dev.clockwire.storage.ceph.osd.OsdTap;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operation of Ceph allocates once everything has its size: messages and payloads, not more with each operation, and none of it for the bytes of values. */
class SteadyCephTest {
    private static final int ROUNDS = 2;

    private final long[] left = new long[1];

    @ParameterizedTest
    @CsvSource({"true, 4096, 150, 40000", "false, 4096, 300, 22000", "true, 262144, 120, 45000"})
    void anOperationAllocatesABoundedSum(boolean write, int bytes, int ops, long most) {
        LabSpec lab = new LabSpec(SimSpec.of(1), PayloadMode.SIZES, 0).withSoft(SoftSpec.usual());
        var software = CephSpec.software(CephModel.CLASSIC);
        ClusterSpec c = ClusterSpec.of(Profiles.named("cx7-400g"), lab, 3, 1)
                .withManagers(1)
                .withSoftware(software, software);
        Cluster cluster = new Cluster(c.withDisk(c.ssd(), DiskKind.MEDIA));
        CephSpec spec = CephSpec.of(CephModel.CLASSIC, 3, 3);
        Ceph ceph = new Ceph(
                cluster,
                spec.withOsd(spec.osd().withStreams(spec.osd().streams().withPools(128, 512, 128))),
                OsdTap.NONE);
        ceph.start();
        Node n = cluster.clients().get(0);
        long va = n.allocate("data", bytes, Allocation.Kind.BULK);
        long first = run(ceph, cluster, n, write, va, bytes, ops) / ops;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS; i++) {
            least = Math.min(least, run(ceph, cluster, n, write, va, bytes, ops) / ops);
        }
        assertThat(least).as("bytes of an operation, while warming up " + first).isLessThan(most);
    }

    private long run(Ceph ceph, Cluster cluster, Node n, boolean write, long va, int bytes, int ops) {
        left[0] = ops;
        long before = allocated();
        n.worker(0).post((a, b) -> next(ceph, n, write, va, bytes), 0, 0);
        cluster.await(() -> left[0] == 0, "all operations");
        return allocated() - before;
    }

    private void next(Ceph ceph, Node n, boolean write, long va, int bytes) {
        long key = left[0] % 16;
        if (write) {
            ceph.client(n).write(key, va, bytes, (v, l) -> ended(ceph, n, true, va, bytes));
        } else {
            ceph.client(n).read(key, va, bytes, (v, l) -> ended(ceph, n, false, va, bytes));
        }
    }

    private void ended(Ceph ceph, Node n, boolean write, long va, int bytes) {
        left[0]--;
        if (left[0] > 0) {
            next(ceph, n, write, va, bytes);
        }
    }

    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}

package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Forwarding;
import dev.clockwire.storage.threefs.rpc.Transfer;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import dev.clockwire.storage.threefs.server.ReadRule;
import dev.clockwire.storage.threefs.server.ServiceSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** NICs that pass pushed bytes on by themselves: what that saves, and what article 1's way of it loses. */
class NicForwardTest {
    private static final long US = 1_000_000L;

    /** Median latency, and what the cores of the nodes did for a write. */
    private record Cost(long p50, long busyPs) {}

    private static Cost write(Forwarding who, int size) {
        NodeSpec software = NodeSpec.of(WorkerSpec.sleeping());
        LabSpec lab = new LabSpec(SimSpec.of(4), PayloadMode.BYTES, 0).withSoft(SoftSpec.usual());
        ClusterSpec spec = ClusterSpec.of(Profiles.named("cx7-400g"), lab, 3, 1)
                .withManagers(1)
                .withSoftware(software, software);
        Cluster cluster = new Cluster(spec.withDisk(spec.ssd(), DiskKind.MEDIA));
        ServiceSpec service = ServiceSpec.threeFs(DataPath.PUSH, size)
                .withTransfer(Transfer.usual().with(who))
                .withRoom(64, 16);
        ThreeFsSystem system = new ThreeFsSystem("3fs", new ThreeFs(cluster, service, 1, 3, ProtocolTap.NONE));
        system.start();
        long before = busy(cluster);
        int ops = 24;
        LoadResult r = new Load(system, LoadSpec.of(LoadSpec.Op.WRITE, size, ops, 4)).run();
        assertThat(r.ended()).isEqualTo(ops);
        assertThat(who == Forwarding.ARTICLE || r.isSafe()).isTrue();
        return new Cost(r.latency().percentile(50), (busy(cluster) - before) / ops);
    }

    private static long busy(Cluster cluster) {
        return cluster.nodes().stream()
                .mapToLong(n -> n.worker(0).core().busyPs())
                .sum();
    }

    /** Bytes that the NIC passes on move while cores store: two hops of 21 us are off the path of 1 MiB, and nobody posts them and hears of their end. */
    @Test
    void coresDoLessAndBytesMoveWhileTheyStore() {
        Cost cpu = write(Forwarding.CPU, 65_536);
        Cost nic = write(Forwarding.NIC, 65_536);
        assertThat(nic.busyPs()).isLessThan(cpu.busyPs() - US / 2);
        assertThat(nic.p50()).isLessThan(cpu.p50() - US);
        Cost large = write(Forwarding.CPU, 1 << 20);
        assertThat(write(Forwarding.NIC, 1 << 20).p50()).isBetween(large.p50() - 50 * US, large.p50() - 30 * US);
        assertThat(write(Forwarding.ARTICLE, 65_536).p50())
                .as("it waits for no disk")
                .isLessThan(cpu.p50() / 3);
    }

    private static List<String> wrong(Forwarding who, String schedule, int depth) {
        return Trial.of(DataPath.PUSH, ReadRule.REJECT)
                .with(Transfer.usual().with(who))
                .with(new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 90, 1, depth, 20))
                .with(schedule)
                .run()
                .wrong();
    }

    /** What is ordered, checked and stored by cores is safe where it goes wrong without them. */
    @ParameterizedTest
    @ValueSource(strings = {"node1:received#4 disk-slow for=5ms", "node1:received#5 power restart=3ms"})
    void whatCoresOrderAndStoreIsSafe(String schedule) {
        assertThat(wrong(Forwarding.NIC, schedule, 4)).isEmpty();
    }

    /** Article 1's: nobody orders the writes of several clients, nothing is stored when they are told, and a slot is written while the disk still reads it. */
    @Test
    void withoutThemReplicasDifferAndSlotsAreOverwritten() {
        List<String> wrong = wrong(Forwarding.ARTICLE, "node1:received#4 disk-slow for=5ms", 4);
        assertThat(wrong).anyMatch(w -> w.startsWith("DUR-3")).anyMatch(w -> w.startsWith("AGR-2"));
        assertThat(wrong).as("the sanitizer").anyMatch(w -> w.contains("the peer of QP") && w.contains("belong to"));
    }

    @Test
    void withoutThemAPowerLossLosesWrites() {
        List<String> wrong = wrong(Forwarding.ARTICLE, "node1:received#5 power restart=3ms", 1);
        assertThat(wrong).anyMatch(w -> w.startsWith("violation")).anyMatch(w -> w.contains("the head has"));
    }
}

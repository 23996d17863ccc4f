package dev.clockwire.storage.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes and reads without faults: what they cost on the wire and leave on the disks. Numbers are those of the comparison's traffic model. */
class CephTest {
    private static final int KIB = 1024;

    private static List<Long> bytes(CephRig rig) {
        WireCount wire = rig.cluster.wire();
        List<Long> all = new ArrayList<>();
        List<Node> hosts = new ArrayList<>(List.of(rig.client()));
        hosts.addAll(rig.cluster.nodes());
        for (Node n : hosts) {
            all.add(wire.txBytes(n.number()));
            all.add(wire.rxBytes(n.number()));
        }
        return all;
    }

    private static void assertCount(CephRig rig, int sends, int trips) {
        WireCount wire = rig.cluster.wire();
        assertThat(wire.sends()).isEqualTo(sends);
        assertThat(wire.reads() + wire.writes()).isZero();
        assertThat(wire.depth(rig.client().number())).isEqualTo(trips);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void smallOperationsCostWhatTheReferenceSays(boolean soft) {
        CephRig rig = new CephRig(CephRig.slow(), soft, 1).start();
        rig.cluster.wire().restart();
        rig.write(77, 4 * KIB, 1234);
        assertThat(rig.version).isPositive();
        assertCount(rig, 6, 4);
        for (Node n : rig.cluster.nodes()) {
            assertThat(rig.ceph.disk(n, 0).lastUpdate()).isEqualTo(rig.version);
        }
        rig.cluster.sim().run(rig.cluster.sim().now() + 20 * CephRig.US);
        assertThat(bytes(rig)).containsExactly(4824L, 368L, 10_896L, 5440L, 308L, 5264L, 308L, 5264L);
        rig.cluster.settle();
        rig.cluster.wire().restart();
        assertThat(rig.read(77, 4 * KIB)).isEqualTo(1234);
        assertCount(rig, 2, 2);
        rig.cluster.sim().run(rig.cluster.sim().now() + 20 * CephRig.US);
        assertThat(bytes(rig)).containsExactly(480L, 4712L, 4712L, 480L, 0L, 0L, 0L, 0L);
    }

    @Test
    void largeOperationsAreCutIntoChunks() {
        CephRig rig = new CephRig(CephRig.slow(), true, 1).start();
        rig.cluster.wire().restart();
        int size = 4096 * KIB;
        rig.write(77, size, 99);
        rig.cluster.sim().run(rig.cluster.sim().now() + 20 * CephRig.US);
        assertThat(rig.cluster.wire().sends()).isEqualTo(102);
        assertThat(bytes(rig))
                .containsExactly(4_448_736L, 2480L, 8_900_832L, 4_453_576L, 2420L, 4_449_176L, 2420L, 4_449_176L);
        rig.cluster.settle();
        rig.cluster.wire().restart();
        assertThat(rig.read(77, size)).isEqualTo(99);
        rig.cluster.sim().run(rig.cluster.sim().now() + 20 * CephRig.US);
        assertThat(rig.cluster.wire().sends()).isEqualTo(34);
        assertThat(bytes(rig)).containsExactly(2592L, 4_448_624L, 4_448_624L, 2592L, 0L, 0L, 0L, 0L);
    }
}

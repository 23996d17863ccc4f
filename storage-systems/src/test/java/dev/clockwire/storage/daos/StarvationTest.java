package dev.clockwire.storage.daos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Worker;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxTap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who waits for whom: large transfers beside small requests, and a stream that stands still. */
class StarvationTest {
    private static final long MS = 1_000_000_000L;
    private static final int LARGE = 256 << 10;

    private static long slowest(Rig rig, int ops) {
        long most = 0;
        for (int i = 0; i < ops; i++) {
            rig.write(1, 300 + i, 4096, i);
            most = Math.max(most, rig.tookPs);
            assertThat(rig.read(1, 300 + i, 4096)).isEqualTo(i);
            most = Math.max(most, rig.tookPs);
        }
        return most;
    }

    /** Small requests share links and streams with transfers that were begun before them, and do not wait for all of those. */
    @Test
    void smallRequestsEndBesideAStreamOfLargeOnes() {
        Rig rig = new Rig(DaosSpec.quick(), true, DiskKind.MEDIA, 2, FaultPlan.NONE, DtxTap.NONE);
        long alone = slowest(rig, 10);
        List<boolean[]> large = new ArrayList<>();
        long begun = rig.cluster.sim().now();
        for (int i = 0; i < 64; i++) {
            large.add(rig.begin(0, i, LARGE, 9));
        }
        long beside = slowest(rig, 4);
        assertThat(large).as("large ones under way").anyMatch(d -> !d[0]);
        rig.cluster.await(() -> large.stream().allMatch(d -> d[0]), "all large ones");
        long all = rig.cluster.sim().now() - begun;
        assertThat(beside)
                .as("alone " + alone + " ps, all large ones " + all + " ps")
                .isLessThan(all / 10);
        assertThat(rig.rest().differences()).isEmpty();
    }

    /** Takes a stream's core for a time. */
    private static void block(Worker stream, long ps) {
        stream.post((a, b) -> stream.core().charge(ps), 0, 0);
    }

    @Test
    void aStreamThatStandsStillHoldsUpItsOwnTargetOnly() {
        Rig rig = new Rig(DaosSpec.quick().withTargets(2, false), true, DiskKind.MEDIA, 1, FaultPlan.NONE, DtxTap.NONE);
        rig.write(0, 0, 4096, 1); // target 0
        rig.write(0, 3, 4096, 1); // target 1
        rig.rest();
        Node node = rig.cluster.nodes().get(0);
        rig.write(0, 0, 4096, 2);
        long usual = rig.tookPs;
        block(node.worker(1), 5 * MS);
        rig.write(0, 0, 4096, 3);
        assertThat(rig.tookPs).isLessThan(2 * usual);
        rig.write(0, 3, 4096, 4);
        assertThat(rig.tookPs).isBetween(4 * MS, 6 * MS);
        assertThat(rig.rest().differences()).isEmpty();
        assertThat(rig.read(0, 3, 4096)).isEqualTo(4);
    }
}

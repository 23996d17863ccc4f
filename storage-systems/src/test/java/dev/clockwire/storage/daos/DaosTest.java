package dev.clockwire.storage.daos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxTap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes and reads of three replicas: what they cost on the wire, counted against messages and bytes worked out elsewhere. */
class DaosTest {
    private static Rig rig(boolean soft, DiskKind disk) {
        return new Rig(DaosSpec.quick(), soft, disk, 1, FaultPlan.NONE, DtxTap.NONE);
    }

    private static long[] bytes(Rig rig) {
        rig.run(5);
        long[] b = new long[8];
        int at = 0;
        Node client = rig.cluster.clients().get(0);
        b[at++] = rig.wire.txBytes(client.number());
        b[at++] = rig.wire.rxBytes(client.number());
        for (Node n : rig.cluster.nodes()) {
            b[at++] = rig.wire.txBytes(n.number());
            b[at++] = rig.wire.rxBytes(n.number());
        }
        return b;
    }

    @ParameterizedTest
    @CsvSource({"true,MEDIA", "false,FULL"})
    void smallWritesGoInlineAndTheLeaderSendsThemTwice(boolean soft, DiskKind disk) {
        Rig rig = rig(soft, disk);
        rig.wire.restart();
        rig.write(0, 3, 4096, 77); // group 0: the first engine leads
        assertThat(rig.known).isTrue();
        assertThat(rig.wire.sends()).isEqualTo(6);
        assertThat(rig.wire.reads() + rig.wire.writes()).isZero();
        assertThat(rig.wire.depth(rig.cluster.clients().get(0).number())).isEqualTo(4);
        assertThat(bytes(rig)).containsExactly(4926, 384, 10236, 5694, 384, 4926, 384, 4926);
        long epoch = rig.epoch;
        rig.rest();
        rig.wire.restart();
        assertThat(rig.read(0, 3, 4096)).isEqualTo(77);
        assertThat(rig.epoch).isEqualTo(epoch);
        assertThat(rig.wire.sends()).isEqualTo(2);
        assertThat(rig.wire.reads() + rig.wire.writes()).isZero();
        assertThat(rig.wire.depth(rig.cluster.clients().get(0).number())).isEqualTo(2);
        assertThat(bytes(rig)).startsWith(768, 4542);
    }

    @ParameterizedTest
    @CsvSource({"true,MEDIA", "false,FULL"})
    void largeWritesArePulledByEachReplicaFromTheClient(boolean soft, DiskKind disk) {
        Rig rig = rig(soft, disk);
        rig.wire.restart();
        rig.write(0, 3, 65_536, 78);
        assertThat(rig.known).isTrue();
        assertThat(rig.wire.sends()).isEqualTo(6);
        assertThat(rig.wire.reads()).isEqualTo(3);
        assertThat(rig.wire.writes()).isZero();
        assertThat(rig.wire.depth(rig.cluster.clients().get(0).number())).isEqualTo(6);
        assertThat(bytes(rig)).containsExactly(200_376, 618, 1998, 68_072, 462, 67_304, 462, 67_304);
        rig.rest();
        rig.wire.restart();
        assertThat(rig.read(0, 3, 65_536)).isEqualTo(78);
        assertThat(rig.wire.sends()).isEqualTo(2);
        assertThat(rig.wire.writes()).isEqualTo(1);
        assertThat(rig.wire.depth(rig.cluster.clients().get(0).number())).isEqualTo(4);
        assertThat(bytes(rig)).startsWith(834, 66_928);
    }
}

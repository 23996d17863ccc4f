package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes and reads of a chain: what they cost on the wire and leave on the disks. */
class ThreeFsTest {
    private static Rig rig(DataPath path, boolean soft, DiskKind disk) {
        return new Rig(Rig.service(path), soft, disk, 3, 1, FaultPlan.NONE, ProtocolTap.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "PULL,false,FULL,6,3,12",
        "PULL,true,MEDIA,6,3,12",
        "INLINE,true,MEDIA,6,0,6",
        "PUSH,true,MEDIA,6,3,6",
        "PUSH,false,FULL,6,3,6"
    })
    void aWriteCostsWhatTheReferenceSays(
            DataPath path, boolean soft, DiskKind disk, int sends, int oneSided, int trips) {
        Rig rig = rig(path, soft, disk);
        WireCount wire = rig.cluster.wire();
        wire.restart();
        rig.write(0, 77, 0, Rig.SIZE, 1234);
        assertThat(rig.status).isEqualTo(Status.OK);
        assertThat(rig.version).isEqualTo(1);
        assertThat(wire.sends()).isEqualTo(sends);
        assertThat(wire.reads() + wire.writes()).isEqualTo(oneSided);
        Node client = rig.cluster.clients().get(0);
        assertThat(wire.depth(client.number())).isEqualTo(trips);
        for (Node n : rig.cluster.nodes()) {
            ChunkMeta c = Objects.requireNonNull(rig.fs.service(n).store(1)).find(77);
            assertThat(c).isNotNull();
            assertThat(Objects.requireNonNull(c).commitVer).isEqualTo(1);
            assertThat(c.isPending()).isFalse();
        }
        wire.restart();
        assertThat(rig.read(0, 77, 0, Rig.SIZE)).isEqualTo(1234);
        assertThat(wire.sends()).isEqualTo(2);
        assertThat(wire.reads() + wire.writes()).isEqualTo(1);
        assertThat(wire.depth(client.number())).isEqualTo(4);
    }
}

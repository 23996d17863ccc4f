package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Notice;
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.rpc.Transfer;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the options of the data path cost on the wire. */
class TransferTest {
    private static Rig rig(Transfer transfer, boolean soft, DiskKind disk) {
        return new Rig(
                Rig.service(DataPath.PUSH).withTransfer(transfer), soft, disk, 3, 1, FaultPlan.NONE, ProtocolTap.NONE);
    }

    /** The request rides before the bytes: three SENDs less, as many trips; receives are taken and given back as of SENDs. */
    @ParameterizedTest
    @CsvSource({"true,MEDIA", "false,FULL"})
    void aNoticeWithImmediateDataSavesTheSend(boolean soft, DiskKind disk) {
        Rig rig = rig(Transfer.usual().with(Notice.IMM), soft, disk);
        WireCount wire = rig.cluster.wire();
        wire.restart();
        rig.write(0, 77, 0, Rig.SIZE, 1234);
        assertThat(rig.status).isEqualTo(Status.OK);
        assertThat(wire.sends()).isEqualTo(3);
        assertThat(wire.writes()).isEqualTo(3);
        assertThat(wire.immediates()).isEqualTo(3);
        assertThat(wire.reads()).isZero();
        assertThat(wire.depth(rig.cluster.clients().get(0).number())).isEqualTo(6);
        assertThat(rig.read(0, 77, 0, Rig.SIZE)).isEqualTo(1234);
        wire.restart();
        for (int i = 0; i < 64; i++) {
            rig.write(0, i, 0, Rig.SIZE, i);
            assertThat(rig.status).isEqualTo(Status.OK);
        }
        assertThat(wire.writes()).isEqualTo(3 * 64);
        // each connection of the chain carries 64 notices one way and 64 answers the other: a credit for each eight
        assertThat(wire.overheads()).containsAllEntriesOf(Map.of("credit", 48L));
    }
}

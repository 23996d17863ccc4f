package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Forwarding;
import dev.clockwire.storage.threefs.rpc.Notice;
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.rpc.Transfer;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the options of the data path cost on the wire. */
class TransferTest {
    /** Bytes of a frame beside its payload: Ethernet, IPv4, UDP, BTH, ICRC and FCS. */
    private static final long FRAME = 14 + 20 + 8 + 12 + 4 + 4;

    private static final long ACK = FRAME + 4;

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

    /** The NIC passes the bytes on while the core stores them: the same messages as when the core does. */
    @ParameterizedTest
    @CsvSource({"true,MEDIA", "false,FULL"})
    void aNicThatPassesOnCostsTheSameMessages(boolean soft, DiskKind disk) {
        Rig rig = rig(Transfer.usual().with(Forwarding.NIC), soft, disk);
        WireCount wire = rig.cluster.wire();
        for (int i = 0; i < 40; i++) {
            wire.restart();
            rig.write(0, i, 0, Rig.SIZE, 1000 + i);
            assertThat(rig.status).isEqualTo(Status.OK);
            assertThat(wire.sends()).isEqualTo(6);
            assertThat(wire.writes()).isEqualTo(3);
            assertThat(wire.depth(rig.cluster.clients().get(0).number())).isEqualTo(6);
        }
        for (int i = 0; i < 40; i++) {
            assertThat(rig.read(0, i, 0, Rig.SIZE)).isEqualTo(1000 + i);
        }
    }

    /** 24 reads of three replicas are three requests of eight; each read is judged by itself. */
    @Test
    void readsThatAreSubmittedTogetherAreAskedForTogether() {
        Rig rig = new Rig(
                Rig.service(DataPath.PULL)
                        .withTransfer(Transfer.usual().withBatch(64))
                        .withRoom(256, 64),
                true,
                DiskKind.MEDIA,
                3,
                1,
                FaultPlan.NONE,
                ProtocolTap.NONE);
        for (int i = 1; i < 24; i++) {
            rig.write(0, i, 0, 512, 1000 + i);
        }
        List<Status> ended = new ArrayList<>();
        WireCount wire = rig.cluster.wire();
        rig.cluster.settle();
        wire.restart();
        Node n = rig.cluster.clients().get(0);
        MemoryRegion to = rig.buffers.get(0);
        n.worker(0)
                .post(
                        (a, b) -> {
                            for (int i = 0; i < 24; i++) {
                                rig.fs
                                        .client(n)
                                        .read(1, i, 0, to.address() + 512L * i, 512, to, (s, v, l) -> ended.add(s));
                            }
                        },
                        0,
                        0);
        rig.cluster.await(() -> ended.size() == 24, "all reads");
        assertThat(ended).containsOnly(Status.OK, Status.CHUNK_NOT_FOUND);
        assertThat(ended.stream().filter(s -> s == Status.CHUNK_NOT_FOUND))
                .as("nobody wrote chunk 0")
                .hasSize(1);
        byte[] word = new byte[4];
        for (int i = 1; i < 24; i++) {
            n.host().host().memory().getBytes(to.address() + 512L * i, word, 0, 4);
            assertThat(LittleEndian.get32(word, 0)).isEqualTo(1000 + i);
        }
        rig.cluster.settle();
        assertThat(wire.sends()).isEqualTo(6);
        assertThat(wire.writes()).isEqualTo(23);
        assertThat(wire.depth(n.number())).isEqualTo(4);
        // three requests of 320 B and seven more reads of 40 B, an acknowledgement for each WRITE and each answer
        long asked = 3 * (FRAME + 320 + 7 * 40);
        assertThat(wire.operationTxBytes(n.number())).isEqualTo(asked + (23 + 3) * ACK);
    }
}

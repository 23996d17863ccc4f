package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.MessageTap;
import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes and reads of a chain: what they cost on the wire and leave on the disks. */
class ThreeFsTest {
    private static final long MS = 1_000_000_000L;

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

    /** What brings a target up to date is no part of anybody's operation: requests, answers, and what moves the bytes of chunks. */
    @ParameterizedTest
    @CsvSource({"PULL,1", "PUSH,1", "INLINE,0"})
    void resyncIsCountedBesideOperations(DataPath path, int oneSided) {
        FaultRule crash = FaultRule.of(new FaultAction.OnNode(NodeFault.CRASH, "node2"), new FaultTrigger.At(10 * MS))
                .restartingAfter(90 * MS);
        Rig rig = new Rig(Rig.service(path), true, DiskKind.MEDIA, 3, 1, FaultPlan.of(crash), ProtocolTap.NONE);
        rig.cluster.sim().run(50 * MS);
        assertThat(rig.fs.isWhole()).as("the loss is known").isFalse();
        int chunks = 5;
        for (int key = 0; key < chunks; key++) {
            rig.write(0, key, 0, Rig.SIZE, 1000 + key);
            assertThat(rig.status).isEqualTo(Status.OK);
        }
        assertThat(rig.cluster.sim().now()).as("the node is still down").isLessThan(100 * MS);
        WireCount wire = rig.cluster.wire();
        wire.restart();
        Map<String, Integer> seen = new TreeMap<>();
        wire.listen(m -> {
            boolean asked = m.kind() != MessageTap.Kind.ACK && m.kind() != MessageTap.Kind.READ_RESPONSE;
            if (asked && m.name().overhead().equals("resync")) {
                seen.merge(m.name().name(), 1, Integer::sum);
            }
        });
        rig.cluster.await(rig.fs::isWhole, "three replicas");
        rig.cluster.settle();
        for (int key = 0; key < chunks; key++) {
            assertThat(Objects.requireNonNull(
                                    rig.fs.service(rig.cluster.nodes().get(2)).store(1))
                            .find(key))
                    .isNotNull();
        }
        assertThat(wire.sends() + wire.reads() + wire.writes()).isZero();
        assertThat(wire.payloadBytes()).isZero();
        assertThat(seen).containsEntry("WRITE", chunks).containsEntry("WRITE answer", chunks);
        assertThat(seen.getOrDefault("chunk", 0)).isEqualTo(chunks * oneSided);
        assertThat(wire.overheads().get("resync"))
                .as("and what the target has, and that it is up to date")
                .isGreaterThanOrEqualTo((2L + oneSided) * chunks + 4);
        assertThat(wire.overheadBytes().get("resync")).isGreaterThan((long) chunks * Rig.SIZE);
    }
}

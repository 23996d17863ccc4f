package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Notice;
import dev.clockwire.storage.threefs.rpc.SlotShares;
import dev.clockwire.storage.threefs.rpc.Transfer;
import dev.clockwire.storage.threefs.server.Mutant;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import dev.clockwire.storage.threefs.server.ServiceSpec;
import dev.clockwire.storage.threefs.server.StorageService;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writes that hold a slot while they wait for one behind them never wait in a circle, whatever the chains and however few the slots. */
class SlotPlacesTest {
    /** Each node is head, middle and tail of some chain. */
    private static final List<List<Integer>> IN_TURN = List.of(List.of(0, 1, 2), List.of(1, 2, 0), List.of(2, 0, 1));
    /** Each node stands before each other, at each place. */
    private static final List<List<Integer>> ALL_ORDERS = List.of(
            List.of(0, 1, 2), List.of(1, 2, 0), List.of(2, 0, 1), List.of(0, 2, 1), List.of(2, 1, 0), List.of(1, 0, 2));

    private static final ThreeFs.Making USUAL = new ThreeFs.Making() {};

    private static final ThreeFs.Making ONE_PLACE = new ThreeFs.Making() {
        @Override
        public StorageService service(Node node, ServiceSpec spec, StorageService.Cast cast) {
            return Mutant.ONE_PLACE.service(node, spec, cast);
        }
    };

    /** Returns the 99th percentile of four writes of each client, in ps. */
    private static long p99(ServiceSpec service, List<List<Integer>> places, int clients, ThreeFs.Making making) {
        NodeSpec software = NodeSpec.of(WorkerSpec.sleeping());
        ClusterSpec spec = ClusterSpec.of(
                        Profiles.named("cx7-400g"), LabSpec.of(7).withSoft(SoftSpec.usual()), 3, clients)
                .withManagers(1)
                .withSoftware(software, software);
        Cluster cluster = new Cluster(spec.withDisk(spec.ssd(), DiskKind.MEDIA));
        ThreeFs fs = new ThreeFs(cluster, service, places, 3, ProtocolTap.NONE);
        fs.making(making);
        ThreeFsSystem system = new ThreeFsSystem("3fs", fs);
        system.start();
        int ops = 4 * clients;
        LoadResult r = new Load(system, LoadSpec.of(LoadSpec.Op.WRITE, Rig.SIZE, ops, ops)).run();
        assertThat(r.ended()).isEqualTo(ops);
        assertThat(r.isSafe()).as(r.differences().toString()).isTrue();
        return r.latency().percentile(99);
    }

    private static ServiceSpec service(DataPath path, int slots) {
        return ServiceSpec.threeFs(path, Rig.SIZE).withSlots(slots);
    }

    /** With the usual slots writers hardly wait. */
    @Test
    void manyClientsTakeAsLongAsWithPull() {
        long pulled = p99(service(DataPath.PULL, 8), IN_TURN, 64, USUAL);
        assertThat(p99(service(DataPath.PUSH, 8), IN_TURN, 64, USUAL)).isLessThan(2 * pulled);
    }

    /** With few they wait in turn, for those that end, not for 100 ms: 16 of a head for two slots, eight for one; what tells of the bytes does not matter. */
    @Test
    void manyClientsWaitInTurnForFewSlots() {
        long pulled = p99(service(DataPath.PULL, 8), IN_TURN, 48, USUAL);
        ServiceSpec notices =
                service(DataPath.PUSH, 2).withTransfer(Transfer.usual().with(Notice.IMM));
        assertThat(p99(notices, IN_TURN, 48, USUAL)).isLessThan(4 * pulled);
        assertThat(p99(service(DataPath.PUSH, 1), ALL_ORDERS, 48, USUAL)).isLessThan(4 * pulled);
    }

    /** One kind of slots for all places: circles of waits, that only end as forwards give up. */
    @Test
    void slotsThatAreNotDividedWaitInACircle() {
        long giveUp = Rig.service(DataPath.PUSH).times().forwardFirst();
        ServiceSpec push = Rig.service(DataPath.PUSH).withSlots(2);
        assertThat(p99(push, IN_TURN, 48, ONE_PLACE)).isGreaterThan(giveUp);
        assertThat(p99(push, IN_TURN, 48, USUAL)).isLessThan(giveUp);
    }

    /** Slots of a node: of each client for the head's place, of each other node for each place behind. */
    @Test
    void slotsAreSharedByPlaces() {
        assertThat(new SlotShares(5, 3, 3).count()).isEqualTo(9);
        assertThat(new SlotShares(5, 3, 1).count()).as("nobody forwards").isEqualTo(5);
        assertThat(new SlotShares(500, 180, 3).count()).isEqualTo(858);
    }
}

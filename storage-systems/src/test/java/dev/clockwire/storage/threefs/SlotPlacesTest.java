package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.mem.Allocation;
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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes that hold a slot or a buffer while they wait for one behind them never wait in a circle, whatever the chains and however few there are. */
class SlotPlacesTest {
    /** Each node is head, middle and tail of some chain. */
    private static final List<List<Integer>> IN_TURN = List.of(List.of(0, 1, 2), List.of(1, 2, 0), List.of(2, 0, 1));
    /** Each node stands before each other, at each place. */
    private static final List<List<Integer>> ALL_ORDERS = List.of(
            List.of(0, 1, 2), List.of(1, 2, 0), List.of(2, 0, 1), List.of(0, 2, 1), List.of(2, 1, 0), List.of(1, 0, 2));

    private static final int CLIENTS = 24;

    private static final ThreeFs.Making USUAL = new ThreeFs.Making() {};

    private static final ThreeFs.Making ONE_PLACE = new ThreeFs.Making() {
        @Override
        public StorageService service(Node node, ServiceSpec spec, StorageService.Cast cast) {
            return Mutant.ONE_PLACE.service(node, spec, cast);
        }
    };

    /** Returns the 99th percentile of four writes of each client, in ps. */
    private static long p99(ServiceSpec service, List<List<Integer>> places, int clients, ThreeFs.Making making) {
        Cluster cluster = cluster(clients);
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

    private static Cluster cluster(int clients) {
        NodeSpec software = NodeSpec.of(WorkerSpec.sleeping());
        ClusterSpec spec = ClusterSpec.of(
                        Profiles.named("cx7-400g"), LabSpec.of(7).withSoft(SoftSpec.usual()), 3, clients)
                .withManagers(1)
                .withSoftware(software, software);
        return new Cluster(spec.withDisk(spec.ssd(), DiskKind.MEDIA));
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

    /** Buffers as few as replicas, pulled: a head holds at most one, and nobody waits until a forward gives up. */
    @ParameterizedTest
    @ValueSource(ints = {3, 8})
    void manyClientsWaitInTurnForFewBuffers(int buffers) {
        long giveUp = service(DataPath.PULL, 8).times().forwardFirst();
        ServiceSpec few = service(DataPath.PULL, 8).withRoom(1024, buffers);
        assertThat(p99(few, IN_TURN, 48, USUAL)).isLessThan(giveUp / 10);
        assertThat(p99(few, ALL_ORDERS, 48, USUAL)).isLessThan(giveUp / 10);
    }

    /** Who begins takes the last buffer: a circle of waits, which lasts longer than forwards try. */
    @Test
    void buffersThatNobodyLeavesToThoseBehindAreWaitedForInACircle() {
        assertThat(endedSoon(USUAL)).isEqualTo(CLIENTS);
        assertThat(endedSoon(ONE_PLACE)).isZero();
    }

    /** Returns how many of one write of each client, to chains in turn, end before the first forward gives up; nodes have three buffers. */
    private static int endedSoon(ThreeFs.Making making) {
        ServiceSpec few = service(DataPath.PULL, 8).withRoom(1024, 3);
        Cluster cluster = cluster(CLIENTS);
        ThreeFs fs = new ThreeFs(cluster, few, IN_TURN, 3, ProtocolTap.NONE);
        fs.making(making);
        fs.start();
        int[] ended = new int[1];
        List<MemoryRegion> regions = new ArrayList<>();
        cluster.clients()
                .forEach(n -> n.pd().regMr(
                                n.allocate("iov", Rig.SIZE, Allocation.Kind.BULK),
                                Rig.SIZE,
                                EnumSet.of(AccessFlag.REMOTE_READ))
                        .whenDone(regions::add));
        cluster.await(() -> regions.size() == CLIENTS, "registered");
        for (int i = 0; i < CLIENTS; i++) {
            Node n = cluster.clients().get(i);
            MemoryRegion r = regions.get(i);
            int key = i;
            n.worker(0)
                    .post(
                            (a, b) -> fs.client(n)
                                    .write(1 + key % 3, key, 0, r.address(), Rig.SIZE, r, (how, v, l) -> ended[0]++),
                            0,
                            0);
        }
        cluster.sim().run(cluster.sim().now() + few.times().forwardFirst());
        return ended[0];
    }

    /** Slots of a node: of each client for the head's place, of each other node for each place behind. */
    @Test
    void slotsAreSharedByPlaces() {
        assertThat(new SlotShares(5, 3, 3).count()).isEqualTo(9);
        assertThat(new SlotShares(5, 3, 1).count()).as("nobody forwards").isEqualTo(5);
        assertThat(new SlotShares(500, 180, 3).count()).isEqualTo(858);
    }
}

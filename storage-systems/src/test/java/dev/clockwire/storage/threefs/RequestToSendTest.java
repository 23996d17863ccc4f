package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.PayloadMode;
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
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.rpc.Transfer;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import dev.clockwire.storage.threefs.server.ServiceSpec;
import org.junit.jupiter.api.Test;

/** Servers that ask before they send: what it costs, and what it saves where many send to one. */
class RequestToSendTest {
    private static final int LARGE = 1 << 20;
    private static final int NODES = 6;

    /** What a load has left behind in the switch. */
    private record Seen(LoadResult load, long queued, long dropped, long sends) {}

    private static Seen read(int transmissions, int depth, int clients) {
        NodeSpec software = NodeSpec.of(WorkerSpec.sleeping());
        LabSpec lab = new LabSpec(SimSpec.of(4), PayloadMode.SIZES, 0).withSoft(SoftSpec.usual());
        ClusterSpec spec = ClusterSpec.of(Profiles.named("cx5-100g"), lab, NODES, clients)
                .withManagers(1)
                .withSoftware(software, software);
        Cluster cluster = new Cluster(spec.withDisk(spec.ssd(), DiskKind.MEDIA));
        ServiceSpec service = ServiceSpec.threeFs(DataPath.PULL, LARGE)
                .withTransfer(Transfer.usual().withTransmissions(transmissions))
                .withRoom(64, 64);
        ThreeFsSystem system = new ThreeFsSystem("3fs", new ThreeFs(cluster, service, NODES, 1, ProtocolTap.NONE));
        system.start();
        int ops = depth * clients;
        LoadResult r = new Load(
                        system,
                        LoadSpec.of(LoadSpec.Op.READ, LARGE, ops, 4 * NODES).withDepth(depth))
                .run();
        FabricSwitch bridge = cluster.lab().wiring().switches().get(0);
        long queued = 0;
        long dropped = 0;
        for (int port = 0; port < bridge.ports(); port++) {
            for (int c = 0; c < 8; c++) {
                queued = Math.max(queued, bridge.maxQueued(port, c));
                dropped += bridge.counters(port).dropped(c);
            }
        }
        return new Seen(r, queued, dropped, r.traffic().sends());
    }

    /** A permit is a round trip and two SENDs more. */
    @Test
    void askingCostsARoundTrip() {
        Rig rig = new Rig(
                Rig.service(DataPath.PULL).withTransfer(Transfer.usual().withTransmissions(64)),
                true,
                DiskKind.MEDIA,
                3,
                1,
                FaultPlan.NONE,
                ProtocolTap.NONE);
        rig.write(0, 77, 0, Rig.SIZE, 1234);
        WireCount wire = rig.cluster.wire();
        wire.restart();
        assertThat(rig.read(0, 77, 0, Rig.SIZE)).isEqualTo(1234);
        assertThat(rig.status).isEqualTo(Status.OK);
        Node client = rig.cluster.clients().get(0);
        assertThat(wire.sends()).isEqualTo(4);
        assertThat(wire.writes()).isEqualTo(1);
        assertThat(wire.depth(client.number())).isEqualTo(6);
    }

    /** Six nodes that send to one client: their bytes wait in the switch, and more than it has room for are lost; with two permits they wait in the nodes. */
    @Test
    void permitsKeepTheQueueOfTheSwitchShort() {
        Seen free = read(0, 96, 1);
        Seen asked = read(2, 96, 1);
        assertThat(free.load().ended()).isEqualTo(96);
        assertThat(asked.load().ended()).isEqualTo(96);
        assertThat(free.sends()).isEqualTo(2 * 96);
        assertThat(asked.sends()).isEqualTo(4 * 96);
        assertThat(free.queued()).isGreaterThan(16L * LARGE);
        assertThat(free.dropped()).isPositive();
        assertThat(asked.queued())
                .as("no more than two answers and what is between them")
                .isLessThan(3L * LARGE);
        assertThat(asked.dropped()).isZero();
        assertThat(asked.load().gbps()).isGreaterThan(free.load().gbps());
    }
}

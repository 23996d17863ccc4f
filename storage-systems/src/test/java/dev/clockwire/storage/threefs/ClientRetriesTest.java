package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.mgmtd.ThreeFsTimes;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import dev.clockwire.storage.threefs.server.ServiceSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When clients and nodes of 3FS ask again, with the waits of 3FS. */
class ClientRetriesTest {
    private static final double SECOND = 1e12;
    private static final long CRASH_PS = 9_000_000_000_000L;

    /**
     * The head is lost. A step of 10 s, then 20 s, then 30 s is the time that an answer has, and passes whole also where the connection breaks within a second:
     * 60 s in all, as many as the silence after which the manager drops the head, which for this client is too late.
     */
    @Test
    void aWriteToALostHeadIsTriedThriceInAMinute() {
        ThreeFsTimes times = ThreeFsTimes.threeFs();
        List<Double> tries = new ArrayList<>();
        Rig[] rig = new Rig[1];
        ProtocolTap tap = (node, what, chain, key, version) -> {
            if (what.equals("submit")) {
                tries.add(rig[0].cluster.sim().now() / SECOND);
            }
        };
        FaultRule crash = FaultRule.of(new FaultAction.OnNode(NodeFault.CRASH, "node0"), new FaultTrigger.At(CRASH_PS));
        ServiceSpec service = ServiceSpec.threeFs(DataPath.PULL, 16_384);
        rig[0] = new Rig(service, true, DiskKind.MEDIA, 3, 1, FaultPlan.of(crash), tap);
        Sim sim = rig[0].cluster.sim();
        assertThat(sim.now()).isLessThan(CRASH_PS);
        sim.run(CRASH_PS + 1);
        double begun = sim.now() / SECOND;
        assertThat(write(rig[0])).isEqualTo(Status.COMMUNICATION);
        assertThat(sim.now() / SECOND - begun).isCloseTo(times.clientTotal() / SECOND, within(0.01));
        assertThat(tries).hasSize(3);
        double first = times.clientFirst() / SECOND;
        assertThat(tries.get(1) - begun).isCloseTo(first, within(0.01));
        assertThat(tries.get(2) - begun).isCloseTo(3 * first, within(0.01));
    }

    /** The node behind the head stands still for a second: silence is a step of 100 ms, then one of 200 ms, each of which begins as soon as the one before is over, until the connection breaks. */
    @Test
    void aForwardThatIsNotAnsweredIsAskedAgainAtOnce() {
        ThreeFsTimes times = ThreeFsTimes.threeFs();
        List<Double> tries = new ArrayList<>();
        Rig[] rig = new Rig[1];
        ProtocolTap tap = (node, what, chain, key, version) -> {
            if (what.equals("forward") && node == rig[0].cluster.nodes().get(0).number()) {
                tries.add(rig[0].cluster.sim().now() / SECOND);
            }
        };
        FaultRule pause = FaultRule.of(new FaultAction.OnNode(NodeFault.PAUSE, "node1"), new FaultTrigger.At(CRASH_PS))
                .lasting((long) SECOND);
        ServiceSpec service = ServiceSpec.threeFs(DataPath.PULL, 16_384);
        rig[0] = new Rig(service, true, DiskKind.MEDIA, 3, 1, FaultPlan.of(pause), tap);
        rig[0].cluster.sim().run(CRASH_PS + 1);
        assertThat(write(rig[0])).isEqualTo(Status.OK);
        double first = times.forwardFirst() / SECOND;
        assertThat(tries).hasSizeGreaterThanOrEqualTo(3);
        assertThat(tries.get(1) - tries.get(0)).isCloseTo(first, within(0.01));
        assertThat(tries.get(2) - tries.get(0)).isCloseTo(3 * first, within(0.01));
    }

    private static Status write(Rig rig) {
        Node n = rig.cluster.clients().get(0);
        long va = rig.buffers.get(0).address();
        Status[] how = new Status[1];
        n.worker(0)
                .post(
                        (x, y) -> rig.fs
                                .client(n)
                                .write(1, 5, 0, va, Rig.SIZE, rig.buffers.get(0), (s, v, l) -> how[0] = s),
                        0,
                        0);
        Sim sim = rig.cluster.sim();
        assertThat(sim.runUntil(
                        () -> how[0] != null,
                        sim.now() + 2 * ThreeFsTimes.threeFs().clientTotal()))
                .isTrue();
        return how[0];
    }
}

package dev.clockwire.storage.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.ceph.store.LogEntry;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each machine crashes at each step of a write: it is acknowledged all the same, is done once, and all replicas hold it in the end. */
class FailoverTest {
    private static final long OID = 0;
    private static final int SIZE = 4096;

    private static final boolean FULL = Boolean.getBoolean("clockwire.full");
    /** Behind the manager. */
    private static final int FIRST_NODE = 1;

    /** A step of the protocol, and when. */
    private record Step(long ps, int node, String what) {}

    private static final List<Step> STEPS = new ArrayList<>();

    /** One run: writes an object twice, the second time with a fault. */
    private static final class Run {
        final List<Step> steps = new ArrayList<>();
        final CephRig rig;
        final long version;
        private boolean watched;

        Run(FaultPlan faults) {
            CephRig[] own = new CephRig[1];
            own[0] = new CephRig(
                    CephRig.spec(),
                    true,
                    1,
                    faults,
                    (node, what, pg, oid, version) -> {
                        if (watched) {
                            steps.add(new Step(own[0].cluster.sim().now(), node, what));
                        }
                    },
                    5,
                    3);
            rig = own[0].start();
            rig.write(OID, SIZE, 1);
            watched = true;
            rig.write(OID, SIZE, 2);
            version = rig.version;
        }

        long count(String what) {
            return steps.stream().filter(s -> s.what.equals(what)).count();
        }

        long repeated() {
            return rig.cluster.nodes().stream()
                    .flatMap(n -> rig.ceph.osd(n).pgs().stream())
                    .mapToLong(g -> g.repeated())
                    .sum();
        }
    }

    @BeforeAll
    static void walk() {
        STEPS.clear();
        STEPS.addAll(new Run(FaultPlan.NONE).steps);
    }

    private static FaultRule crash(String node, long ps) {
        return FaultRule.of(new FaultAction.OnNode(NodeFault.CRASH, node), new FaultTrigger.At(ps))
                .restartingAfter(30 * CephRig.MS);
    }

    @Test
    void aWriteHasTheStepsOfPrimaryCopyReplication() {
        assertThat(STEPS)
                .extracting(Step::what)
                .startsWith("received", "execute", "repop", "repop", "transaction")
                .endsWith("reply");
        assertThat(STEPS).filteredOn(s -> s.what.equals("commit")).hasSize(3);
        assertThat(STEPS).filteredOn(s -> s.what.equals("replicate")).hasSize(2);
    }

    /** Of who takes the step; in the full suite of the others, too. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aCrashAtAnyStepChangesNothing(int number) {
        String node = "node" + number;
        for (Step step : STEPS) {
            if (!FULL && step.node != FIRST_NODE + number) {
                continue;
            }
            Run run = new Run(FaultPlan.of(crash(node, step.ps + 1)));
            String where = node + " at " + step;
            run.rig.cluster.await(run.rig.ceph::isQuiet, "replicas that are equal, " + where);
            assertThat(run.rig.ceph.monitor().map().epoch()).as(where).isGreaterThanOrEqualTo(6);
            assertThat(run.rig.read(OID, SIZE)).as(where).isEqualTo(2);
            assertThat(run.rig.version).as(where).isEqualTo(run.version);
            for (Node n : run.rig.cluster.nodes()) {
                assertThat(run.rig.ceph.disk(n, 0).log())
                        .as(where)
                        .extracting(LogEntry::tid)
                        .containsExactly(1L, 2L);
            }
            assertThat(new CephSystem("ceph", run.rig.ceph).differences())
                    .as(where)
                    .isEmpty();
        }
    }

    /** The answer is lost with the primary, the log is not. */
    @Test
    void aRetryIsAnsweredWithoutASecondExecution() {
        Step reply = STEPS.get(STEPS.size() - 1);
        assertThat(reply.what).isEqualTo("reply");
        Step lastCommit = STEPS.stream()
                .filter(s -> s.what.equals("commit"))
                .reduce((a, b) -> b)
                .orElseThrow();
        Run run = new Run(FaultPlan.of(crash("node0", lastCommit.ps + 1)));
        assertThat(run.count("execute")).isEqualTo(1);
        assertThat(run.repeated()).isEqualTo(1);
        assertThat(run.rig.ceph.client(run.rig.client()).resent()).isPositive();
    }

    /** A cable that is out for longer than a queue pair tries: the session goes on over another connection, nothing twice, nothing lost. */
    @Test
    void aLosslessSessionGoesOnOverAnotherConnection() {
        long out = 3 * CephRig.MS;
        FaultRule cable = FaultRule.of(new FaultAction.LinkDown("node1-switch"), new FaultTrigger.At(out))
                .lasting(900 * CephRig.MS);
        CephRig rig = new CephRig(CephRig.slow(), true, 1, FaultPlan.of(cable), (a, b, c, d, e) -> {}, 5, 3);
        rig.start();
        rig.cluster.sim().run(out + CephRig.MS);
        int epoch = rig.ceph.monitor().map().epoch();
        rig.write(OID, SIZE, 3);
        assertThat(rig.cluster.sim().now()).isGreaterThan(out + 900 * CephRig.MS);
        assertThat(rig.ceph.monitor().map().epoch())
                .as("nobody was declared dead")
                .isEqualTo(epoch);
        Node primary = rig.cluster.nodes().get(0);
        var session = rig.ceph.osd(primary).known(rig.cluster.nodes().get(1).number());
        assertThat(Objects.requireNonNull(session).resent()).isPositive();
        for (Node n : rig.cluster.nodes()) {
            assertThat(rig.ceph.disk(n, 0).log()).hasSize(1);
        }
        assertThat(rig.read(OID, SIZE)).isEqualTo(3);
    }
}

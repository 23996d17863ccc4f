package dev.clockwire.storage.daos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultFilter;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.daos.engine.DaosSpec;
import dev.clockwire.storage.daos.engine.DtxRules;
import dev.clockwire.storage.daos.engine.DtxTap;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each rule that is left out is found out by somebody who looks on, in a schedule in which the whole store is safe. */
class DaosMutantsTest {
    private static final int CUT_OFF = 2;
    private static final int FIRST_CLIENT = 4;

    @ParameterizedTest
    @CsvSource({
        "ANSWER_BEFORE_REPLICAS, 4096, DX-2, ''",
        "COMMIT_BY_MAJORITY, 4096, DX-2, node1:received#3 power restart=3ms",
        "FORGET_TRANSACTIONS, 4096, AMO-3, node0:fetch.done#1 disk-slow for=5ms",
        "ENTRY_BEHIND_TRANSFER, 4096, AMO-3, node0:fetch.done#1 disk-slow for=5ms",
        "READ_PREPARED, 4096, DX-1, node0:prepared#3 exit",
        "REPLICA_READS_OLD, 4096, no stale read, ''",
        "NO_RESYNC, 4096, DX-3, node0:answer#1 crash restart=3ms",
        "ROLL_BACK, 4096, DX-3, node0:answer#1 crash restart=3ms",
        "ROLL_FORWARD, 4096, DX-3, node0:answer#1 power restart=3ms; node2:received#1 disk-error for=5ms",
        "BUFFER_FREE_EARLY, 65536, which belong to RDMA_READ, node1:reply#1 crash restart=3ms",
        "REBUILD_VALUES_ONLY, 65536, DX-3, node0:replica#6 crash restart=3ms; node2:reply#3 reset restart=3ms",
        "SERVE_BEFORE_REBUILD, 4096, DX-3, node0:answer#1 crash restart=3ms",
        "REBUILD_MISSES_WRITES, 4096, DX-2, node1:received#3 power restart=3ms"
    })
    void aRuleThatIsLeftOutIsFoundOut(String mutant, int size, String who, String schedule) {
        // one slice of the DMA buffer: what is free too early is taken at once
        DaosSpec spec = mutant.startsWith("BUFFER") ? DaosTrial.spec().withDma(size, 1) : DaosTrial.spec();
        DaosTrial whole = DaosTrial.of(spec, new DtxRules(), size).with(schedule);
        DaosTrial broken = DaosTrial.of(spec, Mutants.of(mutant), size).with(schedule);
        assertThat(whole.run().wrong()).as("whole").isEmpty();
        assertThat(broken.run().wrong()).as(broken.line()).anyMatch(s -> s.contains(who));
    }

    /** Reads by a client that still hears an engine which nobody else hears, and which was excluded; returns what it gets. */
    private static Set<Integer> read(DtxRules rules) {
        boolean[] parted = new boolean[1];
        FaultFilter between = t -> parted[0]
                && t instanceof RocePacket p
                && isBetween(LightFrame.hostOf(p.flow.srcMac), LightFrame.hostOf(p.flow.dstMac));
        FaultPlan plan = FaultPlan.of(
                FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Always()).where(between));
        Rig rig = new Rig(DaosSpec.quick(), rules, true, DiskKind.MEDIA, 2, plan, DtxTap.NONE);
        rig.write(1, 3, 4096, 1);
        rig.rest();
        parted[0] = true;
        int version = rig.daos.manager().map().version();
        rig.cluster.await(() -> rig.daos.manager().map().version() > version, "a map without the engine");
        rig.write(1, 3, 4096, 2);
        assertThat(rig.known).isTrue();
        Set<Integer> seen = new TreeSet<>();
        for (int i = 0; i < 3; i++) {
            seen.add(rig.read(0, 3, 4096));
        }
        return seen;
    }

    /** Returns whether one of two hosts is the engine and the other no client. */
    private static boolean isBetween(int a, int b) {
        return (a == CUT_OFF && b < FIRST_CLIENT) || (b == CUT_OFF && a < FIRST_CLIENT);
    }

    @Test
    void anEngineWithoutLeaseServesOldValuesWhenItIsCutOff() {
        assertThat(read(new DtxRules())).containsExactly(2);
        assertThat(read(Mutants.of("NO_LEASE"))).contains(1);
    }

    /** The client's checksum finds out: no answer is better than a wrong one (DAOS-16161). */
    @Test
    void aFetchInTheWrongDirectionIsNotTakenForAnAnswer() {
        Rig rig = new Rig(
                DaosSpec.quick(), Mutants.of("WRONG_DIRECTION"), true, DiskKind.MEDIA, 1, FaultPlan.NONE, DtxTap.NONE);
        rig.write(0, 3, 65_536, 5);
        assertThat(rig.known).isTrue();
        rig.read(0, 3, 65_536);
        assertThat(rig.known).isFalse();
    }

    @Test
    void thereIsATestForEachMutant() throws ReflectiveOperationException {
        Set<String> tried = new TreeSet<>(Set.of("NO_LEASE", "WRONG_DIRECTION"));
        var method = DaosMutantsTest.class.getDeclaredMethod(
                "aRuleThatIsLeftOutIsFoundOut", String.class, int.class, String.class, String.class);
        for (String line : method.getAnnotation(CsvSource.class).value()) {
            tried.add(line.substring(0, line.indexOf(',')));
        }
        assertThat(tried).isEqualTo(Mutants.all().keySet());
    }
}

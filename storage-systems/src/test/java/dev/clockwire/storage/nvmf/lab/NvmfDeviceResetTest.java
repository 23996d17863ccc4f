package dev.clockwire.storage.nvmf.lab;

import static dev.clockwire.storage.nvmf.lab.NvmfFaultsTest.BEGIN_PS;
import static dev.clockwire.storage.nvmf.lab.NvmfFaultsTest.MS;
import static dev.clockwire.storage.nvmf.lab.NvmfFaultsTest.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.nvmf.initiator.RemoteController;
import dev.clockwire.storage.nvmf.target.PollGroupStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The load of {@link NvmfFaultsTest} while the NIC of one host or the other is reset, and back later. */
class NvmfDeviceResetTest {
    private static final long US = 1_000_000L;
    private static final int ROUNDS = 12;
    private static final boolean FULL = Boolean.getBoolean("clockwire.full");

    /** Returns every so-manyth of the times that the long tests try. */
    private static List<Long> some(long from, long to, long step, int each) {
        List<Long> times = new ArrayList<>();
        for (long at = from; at < to; at += FULL ? step : each * step) {
            times.add(at);
        }
        return times;
    }

    private static FaultRule reset(String node, long ps, long awayMs) {
        return FaultRule.of(new FaultAction.OnNode(NodeFault.RESET, node), new FaultTrigger.At(ps))
                .restartingAfter(awayMs * MS);
    }

    /** Loads until everything has been written, read and compared, and looks whether both sides are as new afterwards. */
    private static VerifyLoad recovers(String when, NvmfLabSpec spec) {
        VerifyLoad load = new VerifyLoad(new NvmfLab(spec), 2, 8, ROUNDS);
        load.start();
        load.lab.await(load::isOver, "the end of the load, reset " + when);
        load.lab.sim().run(load.lab.sim().now() + MS);
        load.lab.await(() -> load.controller.stage() == RemoteController.Stage.READY, "a session, reset " + when);
        load.checkStore();
        assertThat(load.wrong).as(when).isEmpty();
        assertThat(load.failures).as(when).isZero();
        assertThat(load.verified).as(when).isEqualTo(8 * ROUNDS);
        assertThat(load.controller.queues()).as(when).allMatch(q -> q.outstanding() == 0);
        return load;
    }

    /** Queues and controllers that the target still has of hosts that are gone end when their keep-alive time is over. */
    private static void forgetsTheOldOnes(VerifyLoad load) {
        NvmfLab lab = load.lab;
        lab.sim().run(lab.sim().now() + 30_000 * MS);
        assertThat(lab.target().controllers(lab.target().subsystem(NvmfLabSpec.SUBSYSTEM)))
                .hasSize(1);
        List<PollGroupStats> stats = lab.target().stats();
        assertThat(stats.stream().mapToInt(PollGroupStats::currentAdminQpairs).sum())
                .isEqualTo(1);
        assertThat(stats.stream().mapToInt(PollGroupStats::currentIoQpairs).sum())
                .isEqualTo(2);
        assertThat(lab.target().buffersUsed()).isZero();
    }

    /** Reads and writes are under way at each of these times. */
    @ParameterizedTest
    @CsvSource({"host0,false", "host1,false", "host0,true", "host1,true"})
    void inTheMiddleOfTheLoad(String node, boolean soft) {
        VerifyLoad last = null;
        for (long at : some(US, (soft ? 130 : 228) * US, 7 * US, 16)) {
            last = recovers("at " + at / US + " us", spec(soft, FaultPlan.of(reset(node, BEGIN_PS + at, 20))));
            assertThat(last.controller.losses()).as("at %d us", at / US).isEqualTo(1);
            assertThat(last.controller.queues().get(0).resent()).isPositive();
        }
        forgetsTheOldOnes(Objects.requireNonNull(last));
    }

    /** From the first verb of all to the end of the last Connect: domains, memory and queue pair 1 are made, then sessions. */
    @ParameterizedTest
    @CsvSource({"host0,20", "host1,20", "host0,1", "host1,1"})
    void whileTheSessionIsMade(String node, int awayMs) {
        List<Long> times = some(US, 40 * US, 3 * US, 3);
        times.addAll(some(100 * US, BEGIN_PS - 400 * US, 500 * US, 8));
        times.addAll(some(BEGIN_PS - 390 * US, BEGIN_PS, 13 * US, 14));
        for (long at : times) {
            recovers("at " + at / US + " us", spec(false, FaultPlan.of(reset(node, at, awayMs))));
        }
    }

    /** A second failure, while the first is being repaired, on the same side or the other. */
    @ParameterizedTest
    @CsvSource({
        "host0,host0,5",
        "host0,host0,21",
        "host0,host0,60",
        "host0,host1,0",
        "host0,host1,60",
        "host1,host1,5",
        "host1,host1,25",
        "host1,host0,10"
    })
    void twice(String first, String second, int laterMs) {
        long at = BEGIN_PS + 80 * US;
        FaultPlan plan = FaultPlan.of(
                reset(first, at, 20).named("first"),
                reset(second, at + laterMs * MS, 20).named("second"));
        forgetsTheOldOnes(recovers(laterMs + " ms later", spec(false, plan)));
    }

    /** Queues with receives of their own, whose memory is registered queue by queue. */
    @ParameterizedTest
    @CsvSource({"host0", "host1"})
    void withoutSharedReceives(String node) {
        NvmfLabSpec spec = spec(false, FaultPlan.of(reset(node, BEGIN_PS + 80 * US, 20)));
        forgetsTheOldOnes(recovers("", spec.withTransport(spec.transport().withSrq(false, 256))));
    }

    /** A session at rest: the Keep Alive goes out 5 s behind the last one. */
    @ParameterizedTest
    @CsvSource({"host0", "host1"})
    void aroundTheKeepAlive(String node) {
        for (long after : some(-5 * US, 10 * US, US, 9)) {
            long at = BEGIN_PS + 5_000 * MS + after;
            VerifyLoad load = recovers("later", spec(false, FaultPlan.of(reset(node, at, 20))));
            load.lab.await(() -> load.controller.losses() > 0, "notice");
            load.lab.await(() -> load.controller.stage() == RemoteController.Stage.READY, "a new session");
            load.more(ROUNDS + 2);
            load.lab.await(load::isOver, "the end");
            load.checkStore();
            assertThat(load.wrong).isEmpty();
            assertThat(load.verified).isEqualTo(8 * (ROUNDS + 2));
        }
    }

    /** The host shuts the controller down in order: it comes to an end, whatever the devices do. */
    @ParameterizedTest
    @CsvSource({"host0", "host1"})
    void whileTheSessionIsEnded(String node) {
        for (long after : some(0, 60 * US, 2 * US, 15)) {
            long at = BEGIN_PS + 10 * MS;
            VerifyLoad load =
                    new VerifyLoad(new NvmfLab(spec(false, FaultPlan.of(reset(node, at + after, 20)))), 2, 8, 2);
            load.start();
            load.lab.await(load::isOver, "the end of the load");
            load.lab.sim().run(at);
            boolean[] stopped = new boolean[1];
            load.lab.host().run(load.lab.host().main(), () -> load.controller.stop(() -> stopped[0] = true));
            load.lab.await(() -> stopped[0], "the end, reset " + after / US + " us after it was asked for");
            assertThat(load.controller.stage()).isEqualTo(RemoteController.Stage.STOPPED);
            load.lab.sim().run(load.lab.sim().now() + 30_000 * MS);
            assertThat(load.lab.target().controllers(load.lab.target().subsystem(NvmfLabSpec.SUBSYSTEM)))
                    .isEmpty();
        }
    }

    /** A device that does not come back in time, and a host that makes no further try: everything fails, for a reason that has a name. */
    @ParameterizedTest
    @CsvSource({"20000", "0"})
    void itStaysAway(int lossMs) {
        NvmfLabSpec spec = spec(false, FaultPlan.of(reset("host0", BEGIN_PS + 80 * US, 100_000)));
        spec = spec.withInitiator(spec.initiator().withReconnect(lossMs == 0 ? 0 : 50 * MS, lossMs * MS, 0));
        VerifyLoad load = new VerifyLoad(new NvmfLab(spec), 2, 8, ROUNDS);
        load.start();
        load.lab.await(() -> load.controller.stage() == RemoteController.Stage.FAILED, "an end");
        load.lab.await(load::isOver, "the end of the load");
        assertThat(load.controller.failure()).isEqualTo("the RDMA device has failed");
        assertThat(load.lab.sim().now() - BEGIN_PS).isBetween(lossMs * MS, (lossMs + 100) * MS);
        assertThat(load.controller.queues()).allMatch(q -> q.outstanding() == 0);
        load.checkStore();
        assertThat(load.wrong).isEmpty();
    }
}

package dev.clockwire.storage.hoststack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.perf.PerfResult;
import dev.clockwire.storage.perf.StageTimes;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole way through two kernels over RDMA. */
class KernelRdmaStackTest {
    private static final Profile USUAL = Profiles.named("cx7-400g");

    private static KernelRdmaStack connected(Profile p, int depth) {
        return connected(p, depth, FaultPlan.NONE, KernelMode.ACTIVITY);
    }

    private static KernelRdmaStack connected(Profile p, int depth, FaultPlan faults, KernelMode mode) {
        SimSpec kernel = SimSpec.of(1).withMode(mode);
        KernelRdmaStack s = new KernelRdmaStack(
                new HostStackSpec(kernel, p, CoreMask.parse("0x1"), HostLoad.NULL, depth, 1).withFaults(faults));
        s.connect();
        return s;
    }

    /** Small writes in capsules, large ones by RDMA READ, reads by RDMA WRITE: each in pieces of 512 B to 200 KB. */
    @Test
    void whatIsWrittenIsReadBack() {
        KernelRdmaStack s = connected(USUAL, 6);
        new Verify(s, 6, 60, 1).run();
        assertThat(s.failure()).isEmpty();
        assertThat(HostLoad.tally(s, "host_copies") + HostLoad.tally(s, "target_copies"))
                .as("no core copies data")
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"drop", "corrupt", "duplicate"})
    void networkFaultsChangeNothingButTimes(String what) {
        FaultAction action = switch (what) {
            case "drop" -> new FaultAction.Drop();
            case "corrupt" -> new FaultAction.Corrupt(FaultAction.Corrupt.ANY_BIT);
            default -> new FaultAction.Duplicate();
        };
        FaultPlan plan = FaultPlan.of(FaultRule.of(action, new FaultTrigger.Probability(0.01)));
        KernelRdmaStack s = connected(USUAL, 4, plan, KernelMode.ACTIVITY);
        new Verify(s, 4, 40, 2).run();
        assertThat(s.lab().faults().get(0).hits()).isPositive();
        assertThat(s.failure()).isEmpty();
    }

    /** What is on the way of a read at depth 1, and how often: as for TCP, with a softirq and without any byte copied. */
    @ParameterizedTest
    @CsvSource({
        "syscall_ns, 1, 351",
        "context_switch_ns, 2, 600", // the switch to the kworker of the target and to the program
        "copy_byte_ps, 0, 95",
        "tcp_rx_ns, 0, 1000",
        "idle_exit_ns, 3, 500",
        "hard_interrupt_ns, 3, 300",
        "softirq_ns, 1, 150",
        "fast_reg_ns, 1, 100",
        "target_ns, 1, 300",
        "wake_up_ns, 1, 500",
        "queue_work_ns, 1, 150",
        "block_submit_ns, 2, 379"
    })
    void latencyGrowsByWhatIsOnTheWay(String name, int times, int usual) {
        Profile plain = USUAL.with("host.kernel." + name, String.valueOf(usual));
        double before =
                HostLoad.load(connected(plain, 1), 1, 4096, 100, 8).latency().mean();
        Profile dearer = USUAL.with("host.kernel." + name, String.valueOf(usual + 100));
        double after =
                HostLoad.load(connected(dearer, 1), 1, 4096, 100, 8).latency().mean();
        assertThat((after - before) / 100_000).isCloseTo(times, Offset.offset(0.15));
    }

    @Test
    void stagesSumUpAndLittlesLawHolds() {
        KernelRdmaStack s = connected(USUAL, 16);
        PerfResult r = HostLoad.load(s, 16, 4096, 70, 2000);
        assertThat(r.checkLittle()).isTrue();
        StageTimes stages = Objects.requireNonNull(s.queues().get(0).stages());
        long sum = 0;
        for (int i = 0; i < stages.names().size(); i++) {
            sum += stages.sumPs(i);
            assertThat(stages.sumPs(i)).as(stages.names().get(i)).isPositive();
        }
        assertThat((double) sum / stages.count()).isCloseTo(r.latency().mean(), Percentage.withPercentage(0.01));
    }

    @Test
    void bothKernelModesGiveTheSameTrace() {
        List<Long> hashes = new ArrayList<>();
        for (KernelMode mode : List.of(KernelMode.ACTIVITY, KernelMode.EXHAUSTIVE)) {
            KernelRdmaStack s = connected(USUAL, 4, FaultPlan.NONE, mode);
            HostLoad.load(s, 4, 8192, 50, 20);
            hashes.add(s.sim().traceHash());
        }
        assertThat(hashes.get(1)).isEqualTo(hashes.get(0));
    }

    /** The order of the article's table, at depth 1 on the same hardware. */
    @Test
    void rdmaIsFasterThanTcp() {
        double rdma =
                HostLoad.load(connected(USUAL, 1), 1, 4096, 100, 8).latency().mean();
        KernelTcpStack tcp =
                new KernelTcpStack(new HostStackSpec(SimSpec.of(1), USUAL, CoreMask.parse("0x1"), HostLoad.NULL, 1, 1));
        tcp.connect();
        assertThat(rdma)
                .isLessThan(0.7 * HostLoad.load(tcp, 1, 4096, 100, 8).latency().mean());
    }
}

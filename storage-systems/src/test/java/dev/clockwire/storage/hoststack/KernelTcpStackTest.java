package dev.clockwire.storage.hoststack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.hoststack.kernel.KernelTask;
import dev.clockwire.storage.hoststack.tcp.TcpConnection;
import dev.clockwire.storage.hoststack.tcp.TcpUser;
import dev.clockwire.storage.perf.PerfResult;
import dev.clockwire.storage.perf.PerfStack;
import dev.clockwire.storage.perf.StageTimes;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole way through two kernels over TCP: bytes, faults, counts, and where the time goes. */
class KernelTcpStackTest {
    private static final Profile USUAL = Profiles.named("cx7-400g")
            .with("host.kernel.adaptive_rx", "false")
            .with("host.kernel.rx_usecs", "0")
            .with("host.kernel.rx_frames", "1");

    private static HostStackSpec spec(Profile p, int depth) {
        return new HostStackSpec(SimSpec.of(1), p, CoreMask.parse("0x1"), HostLoad.NULL, depth, 1);
    }

    private static KernelTcpStack connected(Profile p, int depth) {
        KernelTcpStack s = new KernelTcpStack(spec(p, depth));
        s.connect();
        return s;
    }

    @Test
    void whatIsWrittenIsReadBack() {
        new Verify(connected(USUAL, 6), 6, 60, 1).run();
    }

    /** Frames are lost, changed, doubled and late on the line; TCP makes it good, and nobody sees an error. */
    @ParameterizedTest
    @CsvSource({"drop", "corrupt", "duplicate", "reorder"})
    void networkFaultsChangeNothingButTimes(String what) {
        FaultAction action = switch (what) {
            case "drop" -> new FaultAction.Drop();
            case "corrupt" -> new FaultAction.Corrupt(FaultAction.Corrupt.ANY_BIT);
            case "duplicate" -> new FaultAction.Duplicate();
            default -> new FaultAction.Reorder();
        };
        FaultPlan plan = FaultPlan.of(FaultRule.of(action, new FaultTrigger.Probability(0.03)));
        KernelTcpStack s = new KernelTcpStack(
                new HostStackSpec(SimSpec.of(5), USUAL, CoreMask.parse("0x1"), HostLoad.NULL, 4, 1).withFaults(plan));
        s.connect();
        new Verify(s, 4, 40, 2).run();
        assertThat(s.lab().faults().get(0).hits()).isPositive();
        long again = s.hostNet().connections().stream()
                        .mapToLong(TcpConnection::resent)
                        .sum()
                + s.targetNet().connections().stream()
                        .mapToLong(TcpConnection::resent)
                        .sum();
        if (!what.equals("duplicate") && !what.equals("reorder")) {
            assertThat(again).isPositive();
        }
    }

    /** One copy at the receiver; one more at the sender without zero copy, one more in the page cache without direct I/O. */
    @Test
    void copiesAreCounted() {
        KernelTcpStack s = connected(USUAL, 1);
        HostLoad.load(s, 1, 4096, 100, 50);
        assertThat(HostLoad.tally(s, "host_copied_bytes"))
                .as("and two pages of Identify")
                .isEqualTo(52 * 4096);
        assertThat(HostLoad.tally(s, "target_copied_bytes"))
                .as("Connect data of two queues")
                .isEqualTo(2 * 1024);
        KernelTcpStack t =
                connected(USUAL.with("host.kernel.zero_copy_send", "false").with("host.kernel.direct_io", "false"), 1);
        HostLoad.load(t, 1, 4096, 100, 50);
        assertThat(HostLoad.tally(t, "host_copied_bytes"))
                .as("page cache too, and Connect sent")
                .isEqualTo((50 + 52) * 4096 + 2 * 1024);
        assertThat(HostLoad.tally(t, "target_copied_bytes")).isGreaterThanOrEqualTo(50 * 4096 + 2 * 1024);
    }

    /** At depth 1 an I/O has so many of each on its way: the latency grows by so many times what each costs more, and by nothing else. */
    @ParameterizedTest
    @CsvSource({
        "syscall_ns, 1, 351",
        "context_switch_ns, 4, 600", // with more, switching to idleness lasts longer than the SSD
        "copy_byte_ps, 4.096, 95",
        "idle_exit_ns, 3, 1000",
        "wake_up_ns, 1, 500",
        "queue_work_ns, 3, 150",
        "block_submit_ns, 2, 379",
        "reap_ns, 1, 100"
    })
    void latencyGrowsByWhatIsOnTheWay(String name, double times, int usual) {
        Profile jumbo = USUAL.with("host.kernel.mtu", "9000"); // an I/O is a frame each way
        Profile plain = jumbo.with("host.kernel." + name, String.valueOf(usual));
        double before =
                HostLoad.load(connected(plain, 1), 1, 4096, 100, 10).latency().mean();
        Profile dearer = jumbo.with("host.kernel." + name, String.valueOf(usual + 100));
        double after =
                HostLoad.load(connected(dearer, 1), 1, 4096, 100, 10).latency().mean();
        assertThat((after - before) / 100_000).isCloseTo(times, org.assertj.core.data.Offset.offset(0.1));
    }

    @Test
    void stagesSumUpAndLittlesLawHolds() {
        KernelTcpStack s = connected(USUAL, 16);
        PerfResult r = HostLoad.load(s, 16, 4096, 70, 2000);
        assertThat(r.checkLittle()).isTrue();
        StageTimes stages = Objects.requireNonNull(s.queues().get(0).stages());
        long sum = 0;
        for (int i = 0; i < stages.names().size(); i++) {
            sum += stages.sumPs(i);
            assertThat(stages.sumPs(i)).as(stages.names().get(i)).isPositive();
        }
        assertThat((double) sum / stages.count())
                .isCloseTo(r.latency().mean(), org.assertj.core.data.Percentage.withPercentage(0.01));
        for (PerfStack.CoreUse c : s.cores()) {
            assertThat(c.busyPs()).isBetween(1L, s.sim().now());
        }
    }

    @Test
    void bothKernelModesGiveTheSameTrace() {
        long[] hashes = new long[2];
        for (int i = 0; i < 2; i++) {
            SimSpec kernel =
                    SimSpec.of(1).withFullHash(true).withMode(i == 0 ? KernelMode.ACTIVITY : KernelMode.EXHAUSTIVE);
            KernelTcpStack s =
                    new KernelTcpStack(new HostStackSpec(kernel, USUAL, CoreMask.parse("0x1"), HostLoad.NULL, 4, 1));
            s.connect();
            HostLoad.load(s, 4, 8192, 50, 20);
            hashes[i] = s.sim().traceHash();
        }
        assertThat(hashes[1]).isEqualTo(hashes[0]);
    }

    /** Two connections take turns; commands that find no identifier wait. */
    @Test
    void moreIosThanIdentifiersWait() {
        KernelTcpStack s = new KernelTcpStack(
                new HostStackSpec(SimSpec.of(1), USUAL, CoreMask.parse("0x1"), HostLoad.NULL, 300, 2));
        s.connect();
        assertThat(HostLoad.load(s, 300, 512, 100, 2000).errors()).isZero();
        assertThat(s.hostNet().connections()).hasSize(3);
    }

    @Test
    void aPortThatNobodyListensAtRefuses() {
        KernelTcpStack s = connected(USUAL, 1);
        String[] why = {""};
        TcpUser user = new TcpUser() {
            @Override
            public void connected() {}

            @Override
            public void readable() {}

            @Override
            public void writable() {}

            @Override
            public void failed(String reason) {
                why[0] = reason;
            }
        };
        s.hostKernel().launch(new KernelTask("connects") {
            @Override
            protected boolean run() {
                s.hostNet().connect(s.lab().b().mac(), s.lab().b().ipv4(), 9, user);
                return false;
            }
        });
        assertThat(s.sim().runUntil(() -> !why[0].isEmpty(), s.sim().now() + 100_000_000L))
                .isTrue();
        assertThat(why[0]).isEqualTo("connection refused");
        assertThat(s.targetNet().unwanted()).isEqualTo(1);
    }

    @Test
    void noFrameIsRdmaAndLargeOnesHaveTheMtu() {
        KernelTcpStack s = new KernelTcpStack(spec(USUAL.with("host.kernel.mtu", "9000"), 1));
        int[] seen = new int[2];
        s.lab().tapFrames((ps, end, token) -> {
            seen[0] = Math.max(seen[0], token instanceof EthFrame f ? f.length : 0);
            seen[1] += token instanceof EthFrame ? 0 : 1;
        });
        s.connect();
        HostLoad.load(s, 1, 65_536, 100, 5);
        assertThat(seen).containsExactly(9014, 0);
    }

    @Test
    void softwareMakesChecksumsIfTheDeviceDoesNot() {
        Profile plain = USUAL.with("nic.eth.queues", "2").with("nic.eth.checksums", "false");
        double without =
                HostLoad.load(connected(plain, 1), 1, 4096, 100, 20).latency().mean();
        double with =
                HostLoad.load(connected(USUAL, 1), 1, 4096, 100, 20).latency().mean();
        assertThat(without - with)
                .as("4 KiB are summed up twice, at 30 ps each")
                .isBetween(2 * 4096 * 30.0, 3 * 4096 * 30.0);
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatThrownBy(() -> new HostStackSpec(SimSpec.of(1), USUAL, CoreMask.parse("0x3"), HostLoad.NULL, 1, 1))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("one core");
        assertThatThrownBy(() -> spec(USUAL, 0)).hasMessageContaining("queue depth (-q) 0 is not in 1..65536");
        assertThatThrownBy(() -> new HostStackSpec(SimSpec.of(1), USUAL, CoreMask.parse("0x1"), HostLoad.NULL, 1, 128))
                .hasMessageContaining("127");
        assertThatThrownBy(() -> USUAL.with("host.kernel.mtu", "100")).hasMessageContaining("576");
    }
}

package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.doorbell.Uar;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.regs.NicRegisters;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.Losses;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rates through registers, the articles' gate and bucket as they read, and reaction points that notifications drive. */
class RatePathTest {
    private static final int MESSAGE = 65_536;
    private static final int PACKET = 1024 + 82;
    private static final long US = 1_000_000;
    /** 10 Gbit/s at 250 MHz: 5 bytes a clock. */
    private static final long TEN_GBPS = 5L << 16;

    private static Profile profile(String... settings) {
        Profile p = Profiles.named("cx7-400g");
        for (String s : settings) {
            p = p.with("nic." + s.substring(0, s.indexOf('=')), s.substring(s.indexOf('=') + 1));
        }
        return p;
    }

    private static Pair pair(String... settings) {
        return pair(Lab.twoHosts(profile(settings), LabSpec.of(1)));
    }

    private static Pair pair(Lab lab) {
        return new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private static QpContext context(Pair.Side side) {
        return Objects.requireNonNull(side.host.nic().parts().table().qp(side.qp.qpn()));
    }

    private static void run(Lab lab, long ps) {
        lab.sim().run(lab.sim().now() + ps);
    }

    private static void store(Lab lab, int bar, long offset, long value, int size) {
        CpuCore core = lab.a().core();
        core.mmioWrite(lab.a().nic().endpoint().barAddress(bar) + offset, value, size);
        run(lab, 3 * US);
    }

    private static long load(Lab lab, int bar, long offset) {
        CpuCore core = lab.a().core();
        core.mmioRead(lab.a().nic().endpoint().barAddress(bar) + offset, 4);
        run(lab, 3 * US);
        return core.loaded();
    }

    private static void pace(Pair p, long perClock, long burst) {
        long at = NicRegisters.TB_RATE_REG + 0x10L * context(p.a).uar;
        store(p.lab, NicRegisters.BAR, at + 4, burst, 4);
        store(p.lab, NicRegisters.BAR, at, perClock, 4);
    }

    private static long time(Pair p, int messages) {
        Posts posts = new Posts(p.a, p.b);
        long start = p.lab.sim().now();
        for (int i = 0; i < messages; i++) {
            posts.post(WrOpcode.RDMA_WRITE, MESSAGE);
        }
        for (int i = 0; i < messages; i++) {
            assertThat(p.next(p.a, 1_000_000_000_000L).status).isEqualTo(WcStatus.SUCCESS);
        }
        return p.lab.sim().now() - start;
    }

    private static long count(Pair p, String name) {
        return p.lab.sim().stats().value(p.a.host.nic().path() + "." + name);
    }

    @Test
    void registersPaceAQueuePair() {
        Pair p = pair();
        pace(p, TEN_GBPS, 4L * PACKET);
        double expected = (64.0 * 4 * PACKET - 4 * PACKET) * 8e3 / 10;
        assertThat((double) time(p, 4)).isCloseTo(expected, within(0.02 * expected));
        long stamp = load(p.lab, NicRegisters.BAR, NicRegisters.TB_RATE_REG + 0x10L * context(p.a).uar + 8);
        long clock = p.lab.sim().now() / 4_000;
        assertThat(clock - stamp).as("the last packet left a few us ago").isBetween(0L, 2_000L);
        pace(p, 0, 65_536);
        assertThat(time(p, 4)).as("0 is no limit").isLessThan(20 * US);
    }

    @Test
    void commandsShowInTheRegisters() {
        Pair p = pair();
        p.lab.await(p.a.qp.limitRate(new RateLimit(10_000_000, 5000)));
        long at = NicRegisters.TB_RATE_REG + 0x10L * context(p.a).uar;
        assertThat(load(p.lab, NicRegisters.BAR, at)).isEqualTo(TEN_GBPS);
        assertThat(load(p.lab, NicRegisters.BAR, at + 4)).isEqualTo(5000);
    }

    /** Public fault: a message larger than the bucket, twice. The second leaves 65536 / 97.7 = 671 clocks after the first. */
    @ParameterizedTest
    @CsvSource({"merged, 671", "article, 671"})
    void aMessageLargerThanTheBucketIsDelayed(String states, long clocks) {
        Pair p = pair("rate.per_message=true", "rate.packet_overhead=0", "rate.fsm=" + states);
        Lossy line = new Lossy(p.lab);
        pace(p, 0x0061_B333, 16_384);
        time(p, 2);
        long first = -1;
        long second = -1;
        for (var frame : line.frames) {
            if (frame.opcode == Opcode.RC_RDMA_WRITE_FIRST) {
                second = first < 0 ? -1 : frame.ps;
                first = first < 0 ? frame.ps : first;
            }
        }
        if (states.equals("merged")) {
            assertThat((second - first) / 4_000).isBetween(clocks - 6, clocks + 6);
        } else {
            // the article takes the tokens after the fetch, so the wait begins later by it
            assertThat((second - first) / 4_000).isBetween(clocks + 90, clocks + 1_000);
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void asTheArticleReadsItIsNeverSent(boolean byRegister) {
        String bucket = byRegister ? "fixed" : "article-literal";
        Lab lab = Lab.twoHosts(
                profile("rate.per_message=true", "rate.packet_overhead=0", "rate.bucket=" + bucket), LabSpec.of(1));
        if (byRegister) {
            store(lab, NicRegisters.BAR, NicRegisters.UAR_CTRL, 6, 4);
        }
        Pair p = pair(lab);
        pace(p, 0x0061_B333, 16_384);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, MESSAGE);
        run(p.lab, 10_000 * US);
        assertThat(p.a.cq.hasCompletion()).isFalse();
    }

    @Test
    void asTheArticleReadsNothingIsLimited() {
        Pair literal = pair("rate.bucket=article-literal");
        Pair free = pair();
        pace(literal, TEN_GBPS, 4L * PACKET);
        pace(free, 0, 4L * PACKET);
        double expected = time(free, 16);
        assertThat((double) time(literal, 16)).isCloseTo(expected, within(0.02 * expected));
    }

    @Test
    void theArticlesGateFetchesOneThingAtATime() {
        Pair merged = pair();
        Pair article = pair("rate.fsm=article");
        pace(merged, 300L << 16, 65_536);
        pace(article, 300L << 16, 65_536);
        double packets = 64;
        double each = time(article, 1) / packets;
        // a read for each packet, 390 ns at most, and three cycles
        assertThat(each).isBetween(340_000.0, 470_000.0);
        assertThat(time(merged, 1) / packets).isLessThan(60_000);
    }

    private static void notice(Pair p) {
        RocePacket cnp = new RocePacket();
        cnp.opcode = Opcode.CNP.code();
        cnp.destQp = p.a.qp.qpn();
        cnp.flow.set(context(p.b).flow);
        cnp.pkey = RocePacket.DEFAULT_PKEY;
        cnp.icrcOk = true;
        p.a.host.nic().linePort().send(p.lab.sim().now() + 1, 0, 0, 0, cnp);
        run(p.lab, US);
    }

    @ParameterizedTest
    @CsvSource({"off, 0.98, 1.02, 0, 1", "paper, 1.6, 2.1, 1, 0", "vendor, 1.6, 2.1, 1, 0"})
    void aNotificationHalvesTheRate(String how, double least, double most, long handled, long ignored) {
        Pair p = pair("rate.dcqcn=" + how);
        double before = time(p, 16);
        notice(p);
        run(p.lab, 5 * US);
        double after = time(p, 16);
        // recovery starts after 55 or 300 us
        assertThat(after / before).isBetween(least, most);
        assertThat(count(p, "rp_cnp_handled")).isEqualTo(handled);
        assertThat(count(p, "rp_cnp_ignored")).isEqualTo(ignored);
        run(p.lab, 20_000 * US);
        assertThat(time(p, 16) / before).as("it recovers").isLessThan(1.1);
    }

    /** Half of alpha, a quarter, a floor, and a recovery that is over before it is looked at. */
    @ParameterizedTest
    @CsvSource({
        "vendor, rpg_gd=11, 1.6, 2.1",
        "vendor, rpg_gd=12, 1.29, 1.37",
        "vendor, rpg_min_dec_fac=90, 1.07, 1.14",
        "vendor, initial_alpha_value=0, 0.98, 1.02",
        "vendor, rpg_time_reset=1, 0.98, 1.3",
        "paper, timer_us=55, 1.6, 2.1",
        "paper, timer_us=1, 0.98, 1.15",
        "paper, byte_counter=4096, 0.98, 1.3",
        "paper, floor_mbps=300000, 1.29, 1.37"
    })
    void theNumbersOfTheReactionPointAreParameters(String how, String parameter, double least, double most) {
        Pair p = pair("rate.dcqcn=" + how, "dcqcn." + parameter);
        double before = time(p, 16);
        notice(p);
        run(p.lab, 5 * US);
        assertThat(time(p, 16) / before).isBetween(least, most);
    }

    @Test
    void asTheArticleReadsNotificationsAreLostAndNothingSlowsDown() {
        Pair p = pair("rate.dcqcn=article-literal");
        double before = time(p, 16);
        notice(p);
        assertThat(time(p, 16) / before)
                .as("the product has no scale, the register wraps")
                .isBetween(0.95, 1.05);
        notice(p);
        assertThat(count(p, "rp_cnp_handled")).isEqualTo(1);
        assertThat(count(p, "rp_cnp_ignored")).as("in RECOVERY").isEqualTo(1);
        Pair late = pair("rate.dcqcn=article-literal");
        run(late.lab, 200 * US);
        notice(late);
        assertThat(count(late, "rp_cnp_ignored")).as("INCREASE has no way out").isEqualTo(1);
        assertThat(count(late, "rp_cnp_handled")).isZero();
    }

    @Test
    void aWaitForTokensHasItsCause() {
        Lab lab = Lab.twoHosts(profile(), LabSpec.of(1).withJourneys(1 << 14));
        Pair p = pair(lab);
        pace(p, TEN_GBPS, PACKET);
        double took = time(p, 1);
        JourneyLog log = Objects.requireNonNull(lab.sim().journeys());
        double lost = Objects.requireNonNull(
                new Losses(log, lab.sim().stages()).perCause().get("rate"));
        assertThat(lost).isCloseTo(took, within(0.05 * took));
    }

    @Test
    void contextsLieWhereTheRegisterSays() {
        Lab lab = Lab.twoHosts(profile("cache.qpc_entries=4"), LabSpec.of(1));
        Allocation table = lab.a().host().memory().allocate("contexts", 1 << 20, Allocation.Kind.REAL, 4096);
        store(lab, NicRegisters.BAR, NicRegisters.QP_CTX_BASE + 4, table.address() >>> 32, 4);
        store(lab, NicRegisters.BAR, NicRegisters.QP_CTX_BASE, table.address(), 4);
        Pair p = pair(lab);
        assertThat(context(p.a).contextAddress).isEqualTo(table.address() + 256L * p.a.qp.qpn());
        assertThat(time(p, 1)).isPositive();
        store(lab, NicRegisters.BAR, NicRegisters.QP_CTX_BASE, 0x1000, 4);
        assertThat(context(p.a).contextAddress).as("locked").isEqualTo(table.address() + 256L * p.a.qp.qpn());
    }

    @Test
    void windowsOf32BitsHaveTheArticlesSecondRegisterBar() {
        Pair p = pair("bar32=true");
        assertThat(time(p, 2)).isPositive();
        NicRegisters registers = p.a.host.nic().registers();
        assertThat(p.a.host.nic().endpoint().barAddress(1)).isPositive().isLessThan(1L << 32);
        assertThat(p.a.host.nic().endpoint().barAddress(Uar.BAR)).isLessThan(1L << 32);
        assertThat(load(p.lab, NicRegisters.FURTHER_BAR, 0)).isEqualTo(registers.read(NicRegisters.BAR, 0x20_0000, 4));
        assertThat(load(p.lab, NicRegisters.BAR, 0)).isEqualTo(0xC10C_0001L);
    }

    @Test
    void asTheArticleReadsThePageOfADoorbellDoesNotMatter() {
        Lab lab = Lab.twoHosts(profile("blueflame=false", "doorbell.carries_pi=false"), LabSpec.of(1));
        store(lab, NicRegisters.BAR, NicRegisters.UAR_CTRL, 4, 4);
        Pair one = pair(lab);
        Pair two = pair(lab);
        store(
                lab,
                Uar.BAR,
                lab.a().nic().doorbell(context(two.a))
                        - lab.a().nic().endpoint().barAddress(Uar.BAR),
                one.a.qp.qpn(),
                4);
        assertThat(lab.a().nic().doorbellErrors()).isZero();
        assertThat(time(one, 1)).isPositive();
    }
}

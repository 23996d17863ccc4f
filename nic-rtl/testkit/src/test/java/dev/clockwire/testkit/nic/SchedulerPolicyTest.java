package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.profile.QueueSpec;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpSchedule;
import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Weights and priorities of queue pairs, seen on a slow line. */
class SchedulerPolicyTest {
    private static final int MESSAGE = 16_384;
    private static final int PACKETS = MESSAGE / 1024;
    private static final int MESSAGES = 40;

    private final List<Integer> sent = new ArrayList<>();
    private final List<Pair> pairs = new ArrayList<>();

    private Lab lab(String policy, KernelMode mode, int qps) {
        Lab lab = Lab.twoHosts(
                Profiles.named("cx7-400g")
                        .with("nic.sched.policy", policy)
                        .with("nic.blueflame", "false")
                        .with("nic.wqe.outstanding_fetches", qps > 3 ? "1" : "8")
                        .with("link.gbps", "10"),
                LabSpec.of(1).withMode(mode).withFullHash(true));
        for (int i = 0; i < qps; i++) {
            pairs.add(new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL));
        }
        lab.tapFrames((ps, end, frame) -> {
            if (end == lab.link().a() && frame instanceof RocePacket p && !p.isResponse()) {
                sent.add(number(p.destQp));
            }
        });
        return lab;
    }

    private int number(int destQp) {
        for (int i = 0; i < pairs.size(); i++) {
            if (pairs.get(i).b.qp.qpn() == destQp) {
                return i;
            }
        }
        throw new AssertionError("nobody has 0x" + Integer.toHexString(destQp));
    }

    private void post(int pair, int messages) {
        Posts posts = new Posts(pairs.get(pair).a, pairs.get(pair).b);
        for (int i = 0; i < messages; i++) {
            posts.post(WrOpcode.RDMA_WRITE, MESSAGE);
        }
    }

    private void complete(int pair, int messages) {
        for (int i = 0; i < messages; i++) {
            assertThat(pairs.get(pair).next(pairs.get(pair).a, 1_000_000_000_000L).status)
                    .isEqualTo(WcStatus.SUCCESS);
        }
    }

    private static long overtaken(Lab lab, String what) {
        return lab.sim().stats().value(lab.a().nic().path() + ".tx_sched_" + what + "_overtaken");
    }

    private long weighted(KernelMode mode) {
        sent.clear();
        pairs.clear();
        Lab lab = lab("wrr", mode, 3);
        int[] weights = {1, 2, 4};
        for (int i = 0; i < 3; i++) {
            lab.await(pairs.get(i).a.qp.schedule(new QpSchedule(0, weights[i])));
        }
        for (int i = 0; i < 3; i++) {
            post(i, MESSAGES);
        }
        for (int i = 2; i >= 0; i--) {
            complete(i, MESSAGES);
        }
        return lab.sim().traceHash();
    }

    /** While all have work, each gets its weight in every window of whole rounds, give or take one round. */
    @Test
    void weightsShareTheLine() {
        long activity = weighted(KernelMode.ACTIVITY);
        int end = sent.lastIndexOf(2) - 200;
        for (int from = 130; from + 70 < end; from += 7) {
            int[] n = new int[3];
            for (int i = from; i < from + 70; i++) {
                n[sent.get(i)]++;
            }
            assertThat(n[0]).as("from " + from).isBetween(9, 11);
            assertThat(n[1]).as("from " + from).isBetween(18, 22);
            assertThat(n[2]).as("from " + from).isBetween(36, 44);
        }
        assertThat(sent).as("and all of it arrives").hasSize(3 * MESSAGES * PACKETS);
        assertThat(weighted(KernelMode.EXHAUSTIVE)).isEqualTo(activity);
    }

    private long strict(KernelMode mode) {
        sent.clear();
        pairs.clear();
        Lab lab = lab("strict", mode, 2);
        lab.await(pairs.get(1).a.qp.schedule(new QpSchedule(7, 1)));
        post(0, MESSAGES);
        lab.sim().run(lab.sim().now() + 100_000_000);
        post(1, 20);
        complete(1, 20);
        assertThat(overtaken(lab, "packets"))
                .as("the low one waits for all of the high one's packets but those in the buffer already")
                .isGreaterThan(20 * PACKETS - 64);
        complete(0, MESSAGES);
        return lab.sim().traceHash();
    }

    @Test
    void theHigherPriorityIsNeverInterrupted() {
        long activity = strict(KernelMode.ACTIVITY);
        int first = sent.indexOf(1);
        assertThat(first).as("the low one was sending").isGreaterThan(50);
        assertThat(sent.subList(first, first + 20 * PACKETS)).containsOnly(1);
        assertThat(sent).hasSize((MESSAGES + 20) * PACKETS);
        assertThat(strict(KernelMode.EXHAUSTIVE)).isEqualTo(activity);
    }

    /** A high one that its rate holds back leaves the line to the others. */
    @Test
    void aPacedQueueStopsNobody() {
        Lab lab = lab("strict", KernelMode.ACTIVITY, 2);
        lab.await(pairs.get(1).a.qp.schedule(new QpSchedule(7, 1)));
        lab.await(pairs.get(1).a.qp.limitRate(new RateLimit(1_000_000, 2048)));
        post(0, MESSAGES);
        post(1, 10);
        complete(0, MESSAGES);
        complete(1, 10);
        int low = 0;
        for (int i = sent.indexOf(1); i <= sent.lastIndexOf(0); i++) {
            low += sent.get(i) == 0 ? 1 : 0;
        }
        double share = (double) low / (sent.lastIndexOf(0) - sent.indexOf(1) + 1);
        assertThat(share).as("1 of 10 Gb/s is the high one's").isBetween(0.86, 0.92);
    }

    /** Doorbells of 40 queue pairs with weights and priorities drawn at random, while others are served: none is lost. */
    @ParameterizedTest
    @EnumSource(
            value = QueueSpec.Policy.class,
            names = {"WRR", "STRICT"})
    void noDoorbellIsLost(QueueSpec.Policy policy) {
        Lab lab = lab(policy.name().toLowerCase(Locale.ROOT), KernelMode.ACTIVITY, 40);
        var random = lab.sim().random("test");
        for (int i = 0; i < 40; i++) {
            lab.await(pairs.get(i).a.qp.schedule(new QpSchedule(random.below(8), 1 + random.below(255))));
        }
        int[] posted = new int[40];
        for (int step = 0; step < 400; step++) {
            int i = random.below(40);
            if (posted[i] < 60) {
                posted[i]++;
                new Posts(pairs.get(i).a, pairs.get(i).b).post(WrOpcode.RDMA_WRITE, 1 + random.below(3000));
            }
            lab.sim().run(lab.sim().now() + random.below(600_000));
        }
        for (int i = 0; i < 40; i++) {
            complete(i, posted[i]);
        }
        assertThat(overtaken(lab, "fetches")).isPositive();
    }

    /** Operations say that they waited for others, and for how long: with two in turns every second packet time of the line. */
    @Test
    void waitsAreAttributed() {
        Lab lab = Lab.twoHosts(
                Profiles.named("cx7-400g").with("link.gbps", "10"),
                LabSpec.of(1).withJourneys(1 << 16));
        pairs.add(new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL));
        pairs.add(new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL));
        post(0, MESSAGES);
        complete(0, MESSAGES);
        assertThat(delays(lab)).as("nobody else is there").isZero();
        post(0, MESSAGES);
        post(1, MESSAGES);
        complete(0, MESSAGES);
        complete(1, MESSAGES);
        // once the buffer of 64 packets is full, a packet of 1106 bytes is made each 885 ns, and each waits for one of
        // the other
        double each = (double) delays(lab) / (2 * MESSAGES * PACKETS - 64);
        assertThat(each).isBetween(0.9 * 2 * 885_000, 1.05 * 2 * 885_000);
    }

    private static long delays(Lab lab) {
        var log = Objects.requireNonNull(lab.sim().journeys());
        long sum = 0;
        for (int i = 0; i < log.size(); i++) {
            if (log.isDelay(i) && log.cause(i) == lab.sim().causes().scheduler) {
                sum += log.out(i) - log.in(i);
            }
        }
        return sum;
    }

    @Test
    void whatCannotBeSaysSo() {
        Lab lab = lab("rr", KernelMode.ACTIVITY, 1);
        assertThatThrownBy(() -> lab.await(pairs.get(0).a.qp.schedule(QpSchedule.USUAL)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EOPNOTSUPP");
        assertThatThrownBy(() -> new QpSchedule(8, 1)).hasMessageContaining("priority 8 is not in 0..7");
        assertThatThrownBy(() -> new QpSchedule(0, 0)).hasMessageContaining("weight 0 is not in 1..255");
        assertThatThrownBy(() -> Profiles.named("cx7-400g").with("nic.sched.policy", "fifo"))
                .hasMessageContaining("allowed is rr, wrr, strict");
    }
}

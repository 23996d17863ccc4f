package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpSchedule;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Weights and priorities of the queue pairs that answer READs, seen on a slow line. */
class ResponsePolicyTest {
    private static final int MESSAGE = 65_536;
    private static final int READS = 10;
    private static final int PACKETS = MESSAGE / 1024;

    private final List<Pair> pairs = new ArrayList<>();
    /** Which pair each response was of. */
    private final List<Integer> answered = new ArrayList<>();

    private Lab lab(String policy, boolean responses, KernelMode mode, int qps) {
        answered.clear();
        pairs.clear();
        Lab lab = Lab.twoHosts(
                Profiles.named("cx7-400g")
                        .with("nic.sched.policy", policy)
                        .with("nic.sched.responses", Boolean.toString(responses))
                        .with("nic.dma.buffer_packets", "16")
                        .with("link.gbps", "10"),
                LabSpec.of(1).withMode(mode).withFullHash(true));
        for (int i = 0; i < qps; i++) {
            pairs.add(new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL));
        }
        lab.tapFrames((ps, end, frame) -> {
            if (end == lab.link().b() && frame instanceof RocePacket p && p.payloadLength > 0) {
                for (int i = 0; i < pairs.size(); i++) {
                    if (pairs.get(i).a.qp.qpn() == p.destQp) {
                        answered.add(i);
                    }
                }
            }
        });
        return lab;
    }

    private void post(int pair, int reads) {
        Posts posts = new Posts(pairs.get(pair).a, pairs.get(pair).b);
        for (int i = 0; i < reads; i++) {
            posts.post(WrOpcode.RDMA_READ, MESSAGE);
        }
    }

    private void complete(int pair, int reads) {
        for (int i = 0; i < reads; i++) {
            assertThat(pairs.get(pair).next(pairs.get(pair).a, 1_000_000_000_000L).status)
                    .isEqualTo(WcStatus.SUCCESS);
        }
    }

    private long weighted(boolean responses, KernelMode mode) {
        Lab lab = lab("wrr", responses, mode, 3);
        int[] weights = {1, 2, 4};
        for (int i = 0; i < 3; i++) {
            lab.await(pairs.get(i).b.qp.schedule(new QpSchedule(0, weights[i])));
        }
        for (int i = 0; i < 3; i++) {
            post(i, READS);
        }
        for (int i = 2; i >= 0; i--) {
            complete(i, READS);
        }
        assertThat(answered).as("and all of it arrives").hasSize(3 * READS * PACKETS);
        return lab.sim().traceHash();
    }

    private int[] shares(int from, int count) {
        int[] n = new int[3];
        for (int i = from; i < from + count; i++) {
            n[answered.get(i)]++;
        }
        return n;
    }

    @Test
    void weightsShareTheLine() {
        long activity = weighted(true, KernelMode.ACTIVITY);
        int end = answered.lastIndexOf(2) - 100;
        for (int from = 150; from + 70 < end; from += 7) {
            int[] n = shares(from, 70);
            assertThat(n[0]).as("from " + from).isBetween(8, 12);
            assertThat(n[1]).as("from " + from).isBetween(17, 23);
            assertThat(n[2]).as("from " + from).isBetween(36, 44);
        }
        assertThat(weighted(true, KernelMode.EXHAUSTIVE)).isEqualTo(activity);
    }

    @Test
    void withoutItQueuePairsTakeTurns() {
        weighted(false, KernelMode.ACTIVITY);
        int[] n = shares(200, 300);
        assertThat(n[0]).isBetween(97, 103);
        assertThat(n[2]).isBetween(97, 103);
    }

    /** However many long READs of one queue pair are under way, a short one of another is answered at once, or first. */
    @ParameterizedTest
    @CsvSource({"rr, 34", "wrr, 34", "strict, 17"})
    void nobodyStarvesAnother(String policy, int most) {
        Lab lab = lab(policy, true, KernelMode.ACTIVITY, 2);
        if (!policy.equals("rr")) {
            lab.await(pairs.get(1).b.qp.schedule(new QpSchedule(policy.equals("strict") ? 7 : 0, 1)));
        }
        post(0, READS);
        lab.sim().run(lab.sim().now() + 100_000_000);
        int before = answered.size();
        assertThat(before).isGreaterThan(50);
        new Posts(pairs.get(1).a, pairs.get(1).b).post(WrOpcode.RDMA_READ, 16 * 1024);
        complete(1, 1);
        List<Integer> since = answered.subList(before, answered.size());
        int first = since.indexOf(1);
        assertThat(first).as("behind what was in the buffers").isLessThan(40);
        List<Integer> during = since.subList(first, since.lastIndexOf(1) + 1);
        assertThat(during.size()).isBetween(16, most);
        complete(0, READS);
    }
}

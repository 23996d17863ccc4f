package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.sim.mem.Allocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pacing of queue pairs by the device, against what the rate itself says. */
class RateLimitTest {
    private static final int MESSAGE = 65_536;
    private static final int PACKET = 1024 + 82;
    private static final long GBPS = 1_000_000;
    private static final int CYCLE_PS = 4000;

    private static Pair pair(Profile profile) {
        return new Pair(Lab.twoHosts(profile, LabSpec.of(1)), QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private static Pair pair() {
        return pair(Profiles.named("cx7-400g"));
    }

    /** Time of so many messages, posted together, from the first packet asked for to the last completion, in ps. */
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

    @ParameterizedTest
    @CsvSource({"1", "10", "97", "200"})
    void packetsTakeTheirTimeAtTheRate(long gbps) {
        Pair p = pair();
        long burst = 4 * PACKET;
        p.lab.await(p.a.qp.limitRate(new RateLimit(gbps * GBPS, burst)));
        int messages = 20;
        long packets = (long) messages * MESSAGE / 1024;
        double expected = (packets * PACKET - burst) * 8e3 / gbps;
        assertThat((double) time(p, messages)).isCloseTo(expected, within(0.01 * expected + 3_000_000));
    }

    @Test
    void everyPacketWaitsForItsOwnTokens() {
        Pair p = pair();
        Lossy line = new Lossy(p.lab);
        p.lab.await(p.a.qp.limitRate(new RateLimit(10 * GBPS, PACKET)));
        time(p, 1);
        // 1106 bytes at 10 Gbit/s are 221.2 cycles: the gate opens on the next edge, the encoder and the line follow at
        // a distance
        for (int i = 2; i < line.frames.size() - 1; i++) {
            if (!line.frames.get(i).opcode.isResponse()
                    && !line.frames.get(i - 1).opcode.isResponse()) {
                long gap = line.frames.get(i).ps - line.frames.get(i - 1).ps;
                assertThat(gap / CYCLE_PS).isBetween(215L, 227L);
            }
        }
    }

    @Test
    void withoutALimitNothingIsDifferent() {
        Pair free = pair();
        Pair limited = pair();
        limited.lab.await(limited.a.qp.limitRate(new RateLimit(GBPS, 0)));
        limited.lab.await(limited.a.qp.limitRate(RateLimit.NONE));
        assertThat(time(limited, 4)).isEqualTo(time(free, 4));
    }

    @Test
    void aNewRateWakesWhatWaits() {
        Pair p = pair();
        p.lab.await(p.a.qp.limitRate(new RateLimit(1, PACKET)));
        Posts posts = new Posts(p.a, p.b);
        posts.post(WrOpcode.RDMA_WRITE, MESSAGE);
        p.lab.sim().run(p.lab.sim().now() + 100_000_000);
        assertThat(p.a.cq.hasCompletion()).as("8.8 s for the second packet").isFalse();
        p.lab.await(p.a.qp.limitRate(new RateLimit(100 * GBPS, PACKET)));
        long start = p.lab.sim().now();
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        assertThat(p.lab.sim().now() - start).isLessThan(10_000_000);
    }

    @Test
    void aMessageMayBeChargedWhole() {
        Pair p = pair(Profiles.named("cx7-400g").with("nic.rate.per_message", "true"));
        p.lab.await(p.a.qp.limitRate(new RateLimit(10 * GBPS, 16_384)));
        long whole = 64L * PACKET;
        assertThat(time(p, 1))
                .as("a full bucket lets a larger message go at once")
                .isLessThan(6_000_000);
        double expected = whole * 8e3 / 10;
        assertThat((double) time(p, 2)).isCloseTo(2 * expected, within(0.05 * expected + 6_000_000));
    }

    @Test
    void aResetTakesTheLimitAway() {
        Pair p = pair();
        p.lab.await(p.a.qp.limitRate(new RateLimit(1, PACKET)));
        Posts posts = new Posts(p.a, p.b);
        posts.post(WrOpcode.RDMA_WRITE, MESSAGE);
        p.lab.sim().run(p.lab.sim().now() + 10_000_000);
        p.lab.await(p.a.qp.modify(new QpAttributes().state(QpState.RESET)));
        p.lab.await(p.b.qp.modify(new QpAttributes().state(QpState.RESET)));
        Connections.join(p.lab, p.a.qp, p.b.host.gid(), p.b.qp.qpn(), 7, 9, Mtu.MTU_1024);
        Connections.join(p.lab, p.b.qp, p.a.host.gid(), p.a.qp.qpn(), 9, 7, Mtu.MTU_1024);
        assertThat(time(p, 1)).isLessThan(10_000_000);
    }

    @Test
    void whatCannotBePacedSaysSo() {
        Lab soft = Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1).withSoft(SoftSpec.usual()));
        Pair p = new Pair(soft, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        assertThatThrownBy(() -> soft.await(p.a.qp.limitRate(new RateLimit(GBPS, 0))))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EOPNOTSUPP");
        assertThatThrownBy(() -> new RateLimit(-1, 0)).hasMessageContaining("-1 is not in 0..8000000000");
        Pair hard = pair();
        hard.lab.await(hard.a.qp.modify(new QpAttributes().state(QpState.ERR)));
        assertThatThrownBy(() -> hard.a.qp.limitRate(new RateLimit(GBPS, 0))).hasMessageContaining("not RTS");
    }
}

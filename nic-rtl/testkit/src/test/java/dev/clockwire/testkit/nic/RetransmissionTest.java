package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.AckTimeout;
import dev.clockwire.roce.transport.Psn;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Lost packets on a reliable connection: what is sent again, when, what is counted, and that nothing happens twice. */
class RetransmissionTest {
    private static final int TIMEOUT = 8;
    private static final long T = AckTimeout.ps(TIMEOUT);
    private static final int RETRIES = 3;
    private static final int RNR_RETRIES = 2;
    private static final int MTU = 1024;
    /** A round trip on this line is far shorter. */
    private static final long SLACK = 20_000_000;

    private final Pair p = pair("1");
    private final Lossy line = new Lossy(p.lab);
    private final Posts a = new Posts(p.a, p.b);
    private final Posts b = new Posts(p.b, p.a);

    private static Pair pair(String factor) {
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g").with("nic.qp.ack_timeout_factor", factor), LabSpec.of(1));
        return new Pair(
                lab,
                QpType.RC,
                Mtu.MTU_1024,
                Allocation.Kind.REAL,
                256,
                rts -> rts.timeout(TIMEOUT).retryCount(RETRIES).rnrRetry(RNR_RETRIES));
    }

    private static byte[] bytes(long seed, int length) {
        byte[] x = new byte[length];
        RandomStream random = RandomStream.named(seed, "payload");
        for (int i = 0; i < length; i++) {
            x[i] = (byte) random.nextInt();
        }
        return x;
    }

    private long counter(Pair.Side side, String name) {
        return p.lab.sim().stats().value(side.host.nic().path() + "." + name);
    }

    private void ends(Pair.Side side, long wrId, WcStatus status) {
        WorkCompletion wc = p.next(side, 20 * T);
        assertThat(wc.status).as("status of wr_id " + wc.wrId).isEqualTo(status);
        assertThat(wc.wrId).isEqualTo(wrId);
    }

    private void settle() {
        p.lab.sim().run(p.lab.sim().now() + 3 * T);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        assertThat(p.b.cq.hasCompletion()).isFalse();
    }

    private void nothingWentBack() {
        for (String name : new String[] {"packet_seq_err", "implied_nak_seq_err", "local_ack_timeout_err"}) {
            assertThat(counter(p.a, name)).as(name).isZero();
        }
    }

    @Test
    void aGapIsRefusedOnceAndSentAgainFromThere() {
        byte[] data = bytes(1, 6 * MTU);
        p.a.write(0, data);
        int lost = Psn.plus(Pair.PSN_A, 2);
        line.lose(1, packet -> packet.psn == lost && Opcode.of(packet.opcode) == Opcode.RC_RDMA_WRITE_MIDDLE);
        long id = a.post(WrOpcode.RDMA_WRITE, data.length);
        ends(p.a, id, WcStatus.SUCCESS);
        assertThat(p.b.read(0, data.length)).isEqualTo(data);
        assertThat(counter(p.a, "packet_seq_err")).isEqualTo(1);
        assertThat(counter(p.a, "local_ack_timeout_err")).isZero();
        assertThat(counter(p.b, "out_of_sequence"))
                .as("three packets behind the gap")
                .isEqualTo(3);
        assertThat(line.sent(Opcode.RC_RDMA_WRITE_FIRST)).as("no new FIRST").hasSize(1);
        assertThat(line.sent(Opcode.RC_RDMA_WRITE_MIDDLE)).hasSize(4 + 3);
        assertThat(line.sent(Opcode.RC_RDMA_WRITE_LAST)).hasSize(2);
        settle();
    }

    @Test
    void aLostLastPacketIsNoticedByTheTimer() {
        byte[] data = bytes(2, 3 * MTU);
        p.a.write(0, data);
        line.lose(1, packet -> Opcode.of(packet.opcode) == Opcode.RC_RDMA_WRITE_LAST);
        long start = p.lab.sim().now();
        ends(p.a, a.post(WrOpcode.RDMA_WRITE, data.length), WcStatus.SUCCESS);
        assertThat(p.lab.sim().now() - start).isBetween(T, T + SLACK);
        assertThat(p.b.read(0, data.length)).isEqualTo(data);
        assertThat(counter(p.a, "local_ack_timeout_err")).isEqualTo(1);
        assertThat(counter(p.a, "packet_seq_err")).isZero();
        settle();
    }

    @Test
    void theTimerMayBeSlower() {
        Pair slow = pair("2.5");
        Lossy slowLine = new Lossy(slow.lab);
        slowLine.lose(1, packet -> true);
        long start = slow.lab.sim().now();
        new Posts(slow.a, slow.b).post(WrOpcode.RDMA_WRITE, 10);
        assertThat(slow.next(slow.a, 20 * T).status).isEqualTo(WcStatus.SUCCESS);
        assertThat(slow.lab.sim().now() - start).isBetween(5 * T / 2, 5 * T / 2 + SLACK);
    }

    @Test
    void progressRestartsTheTimer() {
        // one WRITE after another, each answered well within T, over a time far longer than T: the timer never ends
        for (int i = 0; i < 40; i++) {
            ends(p.a, a.post(WrOpcode.RDMA_WRITE, 100), WcStatus.SUCCESS);
            p.lab.sim().run(p.lab.sim().now() + T / 8);
        }
        nothingWentBack();
    }

    @Test
    void aLostAcknowledgementExecutesNothingTwice() {
        long first = b.receive(0, 4096);
        long second = b.receive(8192, 4096);
        byte[] data = bytes(3, 2 * MTU);
        p.a.write(0, data);
        line.lose(1, packet -> Opcode.of(packet.opcode) == Opcode.RC_ACKNOWLEDGE);
        ends(p.a, a.post(WrOpcode.SEND, data.length), WcStatus.SUCCESS);
        ends(p.b, first, WcStatus.SUCCESS);
        assertThat(p.b.read(0, data.length)).isEqualTo(data);
        assertThat(counter(p.b, "duplicate_request")).isEqualTo(2);
        settle();
        ends(p.a, a.post(WrOpcode.SEND, 10), WcStatus.SUCCESS);
        ends(p.b, second, WcStatus.SUCCESS);
    }

    @Test
    void aReadGoesOnWhereItsAnswersBroke() {
        byte[] data = bytes(4, 8 * MTU);
        p.b.write(0, data);
        int lost = Psn.plus(Pair.PSN_A, 3);
        line.lose(1, packet -> packet.psn == lost && Opcode.of(packet.opcode).isResponse());
        ends(p.a, a.post(WrOpcode.RDMA_READ, data.length), WcStatus.SUCCESS);
        assertThat(p.a.read(0, data.length)).isEqualTo(data);
        var requests = line.sent(Opcode.RC_RDMA_READ_REQUEST);
        assertThat(requests).hasSize(2);
        assertThat(requests.get(1).psn).isEqualTo(lost);
        assertThat(requests.get(1).va).isEqualTo(p.b.at(3 * MTU));
        assertThat(counter(p.a, "implied_nak_seq_err")).isEqualTo(1);
        assertThat(counter(p.a, "local_ack_timeout_err")).isZero();
        settle();
    }

    @Test
    void answersOfTheFirstTryAreNotPlacedForTheSecond() {
        byte[] data = bytes(5, 200 * MTU);
        p.b.write(0, data);
        // a hundred answers of the first try are still on their way when the second begins
        int lost = Psn.plus(Pair.PSN_A, 100);
        line.lose(1, packet -> packet.psn == lost && Opcode.of(packet.opcode).isResponse());
        long read = a.post(WrOpcode.RDMA_READ, data.length);
        long write = a.post(WrOpcode.RDMA_WRITE, 0);
        ends(p.a, read, WcStatus.SUCCESS);
        assertThat(p.a.read(0, data.length)).isEqualTo(data);
        ends(p.a, write, WcStatus.SUCCESS);
        settle();
    }

    @Test
    void anAtomicIsExecutedOnceHoweverOftenItsAnswerIsLost() {
        line.lose(2, packet -> Opcode.of(packet.opcode) == Opcode.RC_ATOMIC_ACKNOWLEDGE);
        var add = a.begin(WrOpcode.ATOMIC_FETCH_AND_ADD, 8);
        add.swapAdd = 5;
        ends(p.a, a.post(), WcStatus.SUCCESS);
        assertThat(p.b.read(0, 8)).containsExactly(5, 0, 0, 0, 0, 0, 0, 0);
        assertThat(p.a.read(0, 8)).containsOnly(0);
        assertThat(line.sent(Opcode.RC_ATOMIC_ACKNOWLEDGE)).hasSize(3);
        settle();
    }

    @Test
    void retriesRunOut() {
        line.lose(1000, packet -> !Opcode.of(packet.opcode).isResponse());
        long receive = b.receive(0, 100);
        long own = a.receive(0, 100);
        long start = p.lab.sim().now();
        long first = a.post(WrOpcode.RDMA_WRITE, 10);
        long second = a.post(WrOpcode.RDMA_READ, 10);
        ends(p.a, first, WcStatus.RETRY_EXC_ERR);
        assertThat(p.lab.sim().now() - start).isBetween((RETRIES + 1) * T, (RETRIES + 1) * T + SLACK);
        ends(p.a, second, WcStatus.WR_FLUSH_ERR);
        ends(p.a, own, WcStatus.WR_FLUSH_ERR);
        assertThat(p.a.qp.state()).isEqualTo(QpState.ERR);
        assertThat(line.sent(Opcode.RC_RDMA_WRITE_ONLY)).hasSize(1 + RETRIES);
        assertThat(counter(p.a, "local_ack_timeout_err")).isEqualTo(RETRIES);
        assertThat(counter(p.a, "req_transport_retries_exceeded")).isEqualTo(1);
        assertThat(counter(p.a, "req_cqe_flush_error")).isEqualTo(1);
        settle();
        assertThat(p.b.qp.state()).as("the peer knows of nothing").isEqualTo(QpState.RTS);
        assertThat(receive).isPositive();
    }

    @Test
    void theRetryCounterReloadsOnProgress() {
        for (int i = 0; i < 2 * RETRIES; i++) {
            line.lose(RETRIES, packet -> Opcode.of(packet.opcode) == Opcode.RC_RDMA_WRITE_ONLY);
            ends(p.a, a.post(WrOpcode.RDMA_WRITE, 10), WcStatus.SUCCESS);
        }
    }

    @Test
    void receiverNotReadyIsWaitedFor() {
        long start = p.lab.sim().now();
        long id = a.post(WrOpcode.SEND, 100);
        p.lab.sim().run(start + 5_000_000);
        long receive = b.receive(0, 100);
        ends(p.a, id, WcStatus.SUCCESS);
        ends(p.b, receive, WcStatus.SUCCESS);
        assertThat(line.sent(Opcode.RC_SEND_ONLY)).hasSize(2);
        long wait = line.sent(Opcode.RC_SEND_ONLY).get(1).ps
                - line.sent(Opcode.RC_ACKNOWLEDGE).get(0).ps;
        assertThat(wait).as("timer code 1: 10 us").isBetween(10_000_000L, 12_000_000L);
        assertThat(counter(p.a, "rnr_nak_retry_err")).isEqualTo(1);
        nothingWentBack();
    }

    @Test
    void receiverNotReadyRunsOut() {
        long id = a.post(WrOpcode.SEND, 100);
        long next = a.post(WrOpcode.RDMA_WRITE, 100);
        ends(p.a, id, WcStatus.RNR_RETRY_EXC_ERR);
        ends(p.a, next, WcStatus.WR_FLUSH_ERR);
        assertThat(line.sent(Opcode.RC_SEND_ONLY)).hasSize(1 + RNR_RETRIES);
        assertThat(counter(p.a, "req_rnr_retries_exceeded")).isEqualTo(1);
        assertThat(counter(p.b, "out_of_buffer")).isEqualTo(1 + RNR_RETRIES);
        assertThat(p.a.qp.state()).isEqualTo(QpState.ERR);
        assertThat(p.b.qp.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void noTimerMeansWaitingForEver() {
        Pair patient = new Pair(
                Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1)),
                QpType.RC,
                Mtu.MTU_1024,
                Allocation.Kind.REAL,
                256,
                rts -> rts.timeout(0));
        Lossy lossy = new Lossy(patient.lab);
        lossy.lose(1, packet -> true);
        new Posts(patient.a, patient.b).post(WrOpcode.RDMA_WRITE, 10);
        patient.lab.sim().run(patient.lab.sim().now() + 10_000_000_000_000L);
        assertThat(patient.a.cq.hasCompletion()).isFalse();
        assertThat(lossy.frames).hasSize(1);
    }

    /** A check that the tests above would notice: the same run on a good line sends nothing twice. */
    @Test
    void aGoodLineSendsNothingTwice() {
        Consumer<WrOpcode> run = opcode -> ends(p.a, a.post(opcode, 5 * MTU), WcStatus.SUCCESS);
        run.accept(WrOpcode.RDMA_WRITE);
        run.accept(WrOpcode.RDMA_READ);
        settle();
        assertThat(line.frames).hasSize(5 + 1 + 1 + 5);
        nothingWentBack();
    }

    /** The line brings everything twice: the second try comes while the first is being executed. */
    @Test
    void anAtomicThatComesAgainWhileItRunsIsAnsweredTwiceAndDoneOnce() {
        FaultPlan twice = FaultPlan.of(FaultRule.of(new FaultAction.Duplicate(), new FaultTrigger.Probability(1)));
        Lab lab = Lab.twoHosts(
                Profiles.named("cx7-400g").with("nic.atomic.cycles", "1000"),
                LabSpec.of(1).withFaults(twice));
        Pair q = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        q.b.write(0, new byte[] {5, 0, 0, 0, 0, 0, 0, 0});
        List<Long> answers = new ArrayList<>();
        lab.tapFrames((ps, end, frame) -> {
            if (frame instanceof RocePacket x && x.opcode == Opcode.RC_ATOMIC_ACKNOWLEDGE.code()) {
                answers.add((long) x.psn << 32 | x.original);
            }
        });
        Posts posts = new Posts(q.a, q.b);
        for (int i = 0; i < 3; i++) {
            posts.begin(WrOpcode.ATOMIC_FETCH_AND_ADD, 8).swapAdd = 10;
            posts.post();
        }
        for (int i = 0; i < 3; i++) {
            assertThat(q.next(q.a).status).isEqualTo(WcStatus.SUCCESS);
        }
        lab.sim().run(lab.sim().now() + 100_000_000);
        assertThat(q.b.read(0, 8)).containsExactly(35, 0, 0, 0, 0, 0, 0, 0);
        List<Long> expected = new ArrayList<>();
        for (int i = 0; i < 12; i++) { // the line brings each of the two answers twice
            expected.add((long) Psn.plus(Pair.PSN_A, i / 4) << 32 | 5 + 10 * (i / 4));
        }
        assertThat(answers).containsExactlyInAnyOrderElementsOf(expected);
    }
}

package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveWorkRequest;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Receives that several queue pairs take from one queue. */
class SharedReceivesTest {
    private static final int SIZE = 16;

    private final Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), spec());
    private final Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    private final SharedReceiveQueue srq = lab.await(p.b.pd.createSrq(new SrqAttributes(SIZE, 2, 0)));
    private final List<QueuePair> senders = new ArrayList<>();
    private final List<QueuePair> receivers = new ArrayList<>();
    private int posted;
    /** The software device is tried with the same tests. */
    LabSpec spec() {
        return LabSpec.of(1);
    }

    private Completion<AsyncEvent> event = lab.b().context().asyncEvent();

    SharedReceivesTest() {
        for (int i = 0; i < 3; i++) {
            QueuePair sender = lab.await(p.a.pd.createQp(p.a.qp.init()));
            QueuePair receiver = lab.await(p.b.pd.createQp(
                    QpInit.of(QpType.RC, p.b.cq, p.b.qp.init().capabilities()).withSrq(srq)));
            Connections.join(lab, sender, lab.b().gid(), receiver.qpn(), 1, 2, Mtu.MTU_1024);
            Connections.join(lab, receiver, lab.a().gid(), sender.qpn(), 2, 1, Mtu.MTU_1024);
            senders.add(sender);
            receivers.add(receiver);
        }
    }

    private void post(int count) {
        for (int i = 0; i < count; i++) {
            srq.postReceive(ReceiveWorkRequest.into(posted, ScatterGather.of(p.b.mr, posted * 8192L, 8192)));
            posted++;
        }
    }

    private void send(int from, int length, int fill) {
        byte[] data = new byte[length];
        java.util.Arrays.fill(data, (byte) fill);
        p.a.write(fill * 8192, data);
        senders.get(from).postSend(SendWorkRequest.send(fill, ScatterGather.of(p.a.mr, fill * 8192L, length)));
    }

    private void settle() {
        lab.sim().run(lab.sim().now() + 100_000_000);
    }

    @Test
    void messagesOfSeveralQueuePairsInterleave() {
        post(9);
        for (int i = 0; i < 9; i++) {
            send(i % 3, 8000 - i, i + 1);
        }
        boolean[] taken = new boolean[9];
        boolean[] came = new boolean[10];
        for (int i = 0; i < 9; i++) {
            WorkCompletion wc = p.next(p.b);
            assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
            int at = (int) wc.wrId;
            assertThat(taken[at]).as("receive %d once", at).isFalse();
            taken[at] = true;
            byte[] data = p.b.read(at * 8192, (int) wc.byteLength);
            assertThat(data).containsOnly(data[0]);
            int message = data[0];
            assertThat(came[message]).isFalse();
            came[message] = true;
            assertThat(wc.byteLength).isEqualTo(8000 - (message - 1));
            assertThat(wc.qpNum).isEqualTo(receivers.get((message - 1) % 3).qpn());
        }
    }

    @Test
    void theRingGoesRoundManyTimes() {
        for (int round = 0; round < 20; round++) {
            posted = 0;
            post(SIZE - 1);
            for (int i = 0; i < SIZE - 1; i++) {
                send(i % 3, 100 + i, i + 1);
            }
            for (int i = 0; i < SIZE - 1; i++) {
                assertThat(p.next(p.b).status).isEqualTo(WcStatus.SUCCESS);
                assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
            }
        }
    }

    @Test
    void anEmptyQueueIsReceiverNotReady() {
        send(0, 10, 1);
        lab.sim().run(lab.sim().now() + 5_000_000);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        post(1);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        assertThat(p.next(p.b).status).isEqualTo(WcStatus.SUCCESS);
        assertThat(lab.sim().stats().value("host0.nic.rnr_nak_retry_err")).isPositive();
    }

    @Test
    void theLimitEventComesOnce() {
        post(4);
        lab.await(srq.modifyLimit(3));
        settle();
        assertThat(event.isDone()).isFalse();
        send(0, 10, 1);
        settle();
        assertThat(event.isDone()).as("3 are left, which is not below 3").isFalse();
        send(1, 10, 2);
        settle();
        assertThat(event.get()).isEqualTo(new AsyncEvent(AsyncEventType.SRQ_LIMIT_REACHED, srq.number()));
        assertThat(lab.await(srq.query())).isEqualTo(new SrqAttributes(SIZE, 2, 0));
        Completion<AsyncEvent> second = lab.b().context().asyncEvent();
        send(2, 10, 3);
        settle();
        assertThat(second.isDone()).isFalse();
        lab.await(srq.modifyLimit(2));
        settle();
        assertThat(second.isDone()).as("one is left: at once").isTrue();
    }

    /** The device knows of posted receives only what it has read: receives that it has not seen yet count too. */
    @Test
    void receivesThatTheDeviceHasNotSeenCount() {
        post(3);
        send(0, 10, 1);
        settle();
        lab.await(srq.modifyLimit(2));
        post(10);
        send(0, 10, 2);
        send(1, 10, 3);
        settle();
        assertThat(event.isDone()).as("10 are left").isFalse();
    }

    @Test
    void aFailedQueuePairGivesBackOnlyWhatItHolds() {
        post(5);
        send(0, 10, 1);
        assertThat(p.next(p.b).status).isEqualTo(WcStatus.SUCCESS);
        lab.await(receivers.get(0).modify(new QpAttributes().state(QpState.ERR)));
        settle();
        assertThat(p.b.cq.hasCompletion()).as("nothing is flushed").isFalse();
        assertThat(event.get())
                .isEqualTo(new AsyncEvent(
                        AsyncEventType.QP_LAST_WQE_REACHED, receivers.get(0).qpn()));
        for (int i = 0; i < 4; i++) {
            send(1 + i % 2, 10, i + 2);
            assertThat(p.next(p.b).status).isEqualTo(WcStatus.SUCCESS);
        }
    }

    @Test
    void aMessageTooLongFailsTheReceiveItTook() {
        post(2);
        send(0, 8192, 1);
        senders.get(1).postSend(SendWorkRequest.send(2, ScatterGather.of(p.a.mr, 0, 9000)));
        int failed = 0;
        for (int i = 0; i < 2; i++) {
            WorkCompletion wc = p.next(p.b);
            failed += wc.status == WcStatus.LOC_LEN_ERR ? 1 : 0;
        }
        assertThat(failed).isEqualTo(1);
        assertThat(receivers.get(1).state()).isEqualTo(QpState.ERR);
        assertThat(receivers.get(0).state()).isEqualTo(QpState.RTS);
    }
}

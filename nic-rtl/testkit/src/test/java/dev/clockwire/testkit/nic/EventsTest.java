package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What reaches a program by interrupt: armed completion queues, and what happens beside the completions. */
class EventsTest {
    private static final long US = 1_000_000;

    private final Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), spec());
    private final Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL, 64);
    private final Posts a = new Posts(p.a, p.b);
    private final Posts b = new Posts(p.b, p.a);

    private final List<Completion<AsyncEvent>> waits = new ArrayList<>(
            List.of(lab.a().context().asyncEvent(), lab.b().context().asyncEvent()));

    /** The software device is tried with the same tests. */
    LabSpec spec() {
        return LabSpec.of(1);
    }

    private void run(long ps) {
        lab.sim().run(lab.sim().now() + ps);
    }

    private Completion<CompletionQueue> event(Pair.Side side) {
        return side.cq.channel().cqEvent();
    }

    private List<AsyncEvent> happened(Pair.Side side) {
        run(50 * US);
        List<AsyncEvent> all = new ArrayList<>();
        int i = side == p.a ? 0 : 1;
        while (waits.get(i).isDone()) {
            all.add(waits.set(i, side.host.context().asyncEvent()).get());
        }
        return all;
    }

    @Test
    void oneEventForEachTimeTheQueueIsArmed() {
        Completion<CompletionQueue> first = event(p.a);
        a.post(WrOpcode.RDMA_WRITE, 10);
        run(20 * US);
        assertThat(first.isDone()).as("not armed").isFalse();
        p.a.cq.reqNotify(false);
        run(20 * US);
        assertThat(first.isDone()).as("what was there already makes no event").isFalse();
        a.post(WrOpcode.RDMA_WRITE, 10);
        a.post(WrOpcode.RDMA_WRITE, 10);
        run(20 * US);
        assertThat(first.get()).isSameAs(p.a.cq);
        Completion<CompletionQueue> second = event(p.a);
        run(20 * US);
        assertThat(second.isDone()).as("one shot").isFalse();
        p.a.cq.reqNotify(false);
        a.post(WrOpcode.RDMA_WRITE, 10);
        run(20 * US);
        assertThat(second.isDone()).isTrue();
    }

    /** The completion is on its way while the program arms: it must not sleep for ever. */
    @Test
    void noCompletionIsMissedWhileArming() {
        for (long wait = 200_000; wait < 4 * US; wait += 50_000) {
            a.post(WrOpcode.RDMA_WRITE, 10);
            run(wait);
            boolean there = p.a.cq.hasCompletion();
            p.a.cq.reqNotify(false);
            Completion<CompletionQueue> next = event(p.a);
            run(20 * US);
            assertThat(next.isDone()).as("armed %d ps after posting", wait).isEqualTo(!there);
            if (there) {
                a.post(WrOpcode.RDMA_WRITE, 10);
                run(20 * US);
                assertThat(next.isDone()).isTrue();
                p.next(p.a);
            }
            p.next(p.a);
        }
    }

    @Test
    void onlySolicitedOrFailedCompletionsCount() {
        for (int i = 0; i < 3; i++) {
            b.receive(0, 100);
        }
        p.b.cq.reqNotify(true);
        Completion<CompletionQueue> next = event(p.b);
        a.post(WrOpcode.SEND, 10);
        run(20 * US);
        assertThat(next.isDone()).isFalse();
        a.begin(WrOpcode.SEND, 10).flags |= SendFlag.SOLICITED.code();
        a.post();
        run(20 * US);
        assertThat(next.isDone()).isTrue();
        p.b.cq.reqNotify(true);
        Completion<CompletionQueue> failed = event(p.b);
        a.post(WrOpcode.SEND, 1000); // longer than the receive
        run(20 * US);
        assertThat(failed.isDone()).isTrue();
    }

    @Test
    void moderationCountsOrWaits() {
        lab.await(p.a.cq.modify(4, 100));
        p.a.cq.reqNotify(false);
        Completion<CompletionQueue> next = event(p.a);
        for (int i = 0; i < 3; i++) {
            a.post(WrOpcode.RDMA_WRITE, 10);
        }
        run(50 * US);
        assertThat(next.isDone()).as("3 of 4, 50 of 100 us").isFalse();
        a.post(WrOpcode.RDMA_WRITE, 10);
        run(10 * US);
        assertThat(next.isDone()).as("4 of 4").isTrue();
        p.a.cq.reqNotify(false);
        Completion<CompletionQueue> late = event(p.a);
        a.post(WrOpcode.RDMA_WRITE, 10);
        run(95 * US);
        assertThat(late.isDone()).isFalse();
        run(15 * US);
        assertThat(late.isDone()).as("100 us after the first").isTrue();
    }

    @Test
    void aRefusedRequestIsAnEventAtTheResponder() {
        a.begin(WrOpcode.RDMA_WRITE, 10).rkey++;
        a.post();
        assertThat(happened(p.b)).containsExactly(new AsyncEvent(AsyncEventType.QP_ACCESS_ERR, p.b.qp.qpn()));
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(happened(p.a)).isEmpty();
    }

    @Test
    void anInvalidRequestIsAnEventToo() {
        a.begin(WrOpcode.ATOMIC_FETCH_AND_ADD, 8).remoteAddress = p.b.at(1);
        a.post();
        assertThat(happened(p.b)).containsExactly(new AsyncEvent(AsyncEventType.QP_REQ_ERR, p.b.qp.qpn()));
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.REM_INV_REQ_ERR);
    }

    @Test
    void anErrorThatAReceiveReportsIsNoEvent() {
        b.receive(0, 5);
        a.post(WrOpcode.SEND, 10);
        assertThat(happened(p.b)).isEmpty();
        assertThat(p.next(p.b).status).isEqualTo(WcStatus.LOC_LEN_ERR);
    }

    @Test
    void anOverflowBreaksQueueAndQueuePair() {
        for (int i = 0; i < 33; i++) {
            a.receive(0, 10);
            b.post(WrOpcode.SEND, 10);
            a.post(WrOpcode.RDMA_WRITE, 0);
        }
        assertThat(happened(p.a))
                .containsExactlyInAnyOrder(
                        new AsyncEvent(AsyncEventType.CQ_ERR, p.a.cq.number()),
                        new AsyncEvent(AsyncEventType.QP_FATAL, p.a.qp.qpn()));
        assertThat(p.a.qp.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void theFirstPacketBeforeReadyToSendIsAnEvent() {
        var side = p.b;
        var late = lab.await(side.pd.createQp(side.qp.init()));
        var early = lab.await(p.a.pd.createQp(p.a.qp.init()));
        Connections.join(lab, early, side.host.gid(), late.qpn(), 1, 2, Mtu.MTU_1024);
        lab.await(late.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .port(1)
                .access(java.util.EnumSet.of(dev.clockwire.roce.transport.AccessFlag.REMOTE_WRITE))));
        lab.await(late.modify(new QpAttributes()
                .state(QpState.RTR)
                .addressVector(dev.clockwire.roce.verbs.AddressVector.to(p.a.host.gid()))
                .pathMtu(Mtu.MTU_1024)
                .destQpn(early.qpn())
                .rqPsn(1)
                .maxDestRdAtomic(1)
                .minRnrTimer(1)));
        assertThat(happened(side)).isEmpty();
        for (int i = 0; i < 2; i++) {
            early.postSend(dev.clockwire.roce.verbs.SendWorkRequest.write(
                    7, side.at(0), side.mr.rkey(), dev.clockwire.roce.verbs.ScatterGather.of(p.a.mr, 0, 8)));
        }
        assertThat(happened(side)).containsExactly(new AsyncEvent(AsyncEventType.COMM_EST, late.qpn()));
    }

    @Test
    void aDrainedQueueSaysSoAndGoesOn() {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ids.add(a.post(WrOpcode.RDMA_WRITE, 100_000));
        }
        run(5 * US);
        lab.await(p.a.qp.modify(new QpAttributes().state(QpState.SQD).sqdAsyncNotify(true)));
        assertThat(p.a.qp.query().sqDraining()).isTrue();
        assertThat(happened(p.a)).containsExactly(new AsyncEvent(AsyncEventType.SQ_DRAINED, p.a.qp.qpn()));
        assertThat(p.a.qp.query().sqDraining()).isFalse();
        int done = 0;
        while (p.a.cq.hasCompletion()) {
            assertThat(p.next(p.a).wrId).isEqualTo(ids.get(done++));
        }
        assertThat(done).as("started ones ended, others did not start").isBetween(1, 9);
        ids.add(a.post(WrOpcode.RDMA_WRITE, 10));
        run(50 * US);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        b.receive(0, 10);
        lab.await(p.a.qp.modify(new QpAttributes().timeout(10).retryCount(1)));
        lab.await(p.a.qp.modify(new QpAttributes().state(QpState.RTS)));
        while (done < ids.size()) {
            assertThat(p.next(p.a).wrId).isEqualTo(ids.get(done++));
        }
    }
}

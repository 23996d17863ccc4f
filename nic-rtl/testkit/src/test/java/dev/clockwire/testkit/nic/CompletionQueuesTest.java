package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import org.junit.jupiter.api.Test;

/** Completion queues that change their size, and what must happen before they can go. */
class CompletionQueuesTest {
    private final Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), spec());
    private final Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL, 16);
    private final Posts a = new Posts(p.a, p.b);
    private long seen;

    /** The software device is tried with the same tests. */
    LabSpec spec() {
        return LabSpec.of(1);
    }

    private void settle() {
        lab.sim().run(lab.sim().now() + 30_000_000);
    }

    private void post(int count) {
        for (int i = 0; i < count; i++) {
            a.post(WrOpcode.RDMA_WRITE, 10);
        }
    }

    private void take(int count) {
        WorkCompletion[] wc = WorkCompletion.array(1);
        for (int i = 0; i < count; i++) {
            assertThat(p.a.cq.poll(wc)).isEqualTo(1);
            assertThat(wc[0].status).isEqualTo(WcStatus.SUCCESS);
            assertThat(wc[0].wrId).isEqualTo(++seen);
        }
    }

    @Test
    void completionsSurviveEveryChangeOfSize() {
        int[] sizes = {16, 64, 8, 32, 16, 128, 8};
        for (int size : sizes) {
            post(5);
            settle();
            take(2);
            lab.await(p.a.cq.resize(size));
            assertThat(p.a.cq.capacity()).isEqualTo(size);
            post(2);
            settle();
            take(5);
            post(8);
            settle();
            take(8);
            assertThat(p.a.cq.hasCompletion()).isFalse();
        }
    }

    /** Completions are on their way into the old ring while the new one is there. */
    @Test
    void nothingIsLostUnderTraffic() {
        for (int round = 0; round < 40; round++) {
            post(8);
            lab.sim().run(lab.sim().now() + 100_000L * round);
            lab.await(p.a.cq.resize(round % 2 == 0 ? 64 : 16));
            settle();
            take(8);
        }
    }

    /** Entries of several rings before wait to be taken. */
    @Test
    void theSizeChangesAgainWithoutAPoll() {
        for (int round = 0; round < 20; round++) {
            int posted = 0;
            for (int size : new int[] {32, 64, 16, 128, 32}) {
                post(2 + round % 2);
                posted += 2 + round % 2;
                lab.sim().run(lab.sim().now() + 300_000L * round);
                lab.await(p.a.cq.resize(size));
                assertThat(p.a.cq.capacity()).isEqualTo(size);
            }
            settle();
            take(posted);
            assertThat(p.a.cq.hasCompletion()).isFalse();
        }
    }

    @Test
    void theNewSizeCountsForOverflow() {
        lab.await(p.a.cq.resize(64));
        post(40);
        settle();
        take(40);
        lab.await(p.a.cq.resize(8));
        post(9);
        settle();
        take(8);
        assertThatThrownBy(() -> p.a.cq.poll(WorkCompletion.array(1))).hasMessageContaining("overflowed");
    }

    @Test
    void aQueueTooSmallForWhatIsInItIsRefused() {
        post(9);
        settle();
        assertThatThrownBy(() -> lab.await(p.a.cq.resize(8)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("9 completions");
        assertThat(p.a.cq.capacity()).isEqualTo(16);
        take(9);
    }

    @Test
    void aQueueWaitsForTheAcknowledgementOfItsEvents() {
        CompletionQueue cq = lab.await(lab.a().context().createCq(8));
        QueuePair qp = lab.await(p.a.pd.createQp(
                dev.clockwire.roce.verbs.QpInit.of(QpType.RC, cq, p.a.qp.init().capabilities())));
        QueuePair peer = lab.await(p.b.pd.createQp(p.b.qp.init()));
        Connections.join(lab, qp, lab.b().gid(), peer.qpn(), 1, 2, Mtu.MTU_1024);
        Connections.join(lab, peer, lab.a().gid(), qp.qpn(), 2, 1, Mtu.MTU_1024);
        Completion<CompletionQueue> event = cq.channel().cqEvent();
        cq.reqNotify(false);
        qp.postSend(dev.clockwire.roce.verbs.SendWorkRequest.write(
                1, p.b.at(0), p.b.mr.rkey(), dev.clockwire.roce.verbs.ScatterGather.of(p.a.mr, 0, 8)));
        settle();
        assertThat(event.get()).isSameAs(cq);
        assertThatThrownBy(() -> cq.ackEvents(2)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(cq::destroy).hasMessageContaining("used by");
        lab.await(qp.destroy());
        Completion<CompletionQueue> gone = cq.destroy();
        settle();
        assertThat(gone.isDone()).isFalse();
        cq.ackEvents(1);
        settle();
        assertThat(gone.isDone()).isTrue();
    }

    @Test
    void aQueuePairWaitsForTheAcknowledgementOfItsEvents() {
        Completion<AsyncEvent> event = lab.b().context().asyncEvent();
        a.begin(WrOpcode.RDMA_WRITE, 10).rkey++;
        a.post();
        settle();
        Completion<QueuePair> gone = p.b.qp.destroy();
        settle();
        assertThat(gone.isDone()).isFalse();
        lab.b().context().ackAsyncEvent(event.get());
        settle();
        assertThat(gone.isDone()).isTrue();
        assertThatThrownBy(() -> lab.b().context().ackAsyncEvent(event.get())).isInstanceOf(VerbsException.class);
    }
}

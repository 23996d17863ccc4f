package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work that fails: who learns it, with which status, and that nothing behind it is executed or lost. */
class VerbsErrorsTest {
    private final Pair p = pair(QpType.RC);
    private final Posts a = new Posts(p.a, p.b);
    private final Posts b = new Posts(p.b, p.a);

    /** The software device is tried with the same tests. */
    LabSpec spec() {
        return LabSpec.of(1);
    }

    private Pair pair(QpType type) {
        return new Pair(Lab.twoHosts(Profiles.named("cx7-400g"), spec()), type, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private void ends(Pair.Side side, long wrId, WcStatus status) {
        WorkCompletion wc = p.next(side);
        assertThat(wc.wrId).as("wr_id of " + wc).isEqualTo(wrId);
        assertThat(wc.status).as("status of wr_id " + wrId).isEqualTo(status);
    }

    private void settle() {
        p.lab.sim().run(p.lab.sim().now() + 100_000_000);
    }

    private void nothingElse(Pair.Side side) {
        settle();
        assertThat(side.cq.hasCompletion()).isFalse();
    }

    @Test
    void anOperationBehindAFailedOneIsFlushedInOrder() {
        List<Long> ids = new ArrayList<>();
        SendEntry bad = a.begin(WrOpcode.RDMA_WRITE, 5000);
        bad.rkey++;
        ids.add(a.post());
        for (int i = 0; i < 40; i++) {
            SendEntry e = a.begin(i % 2 == 0 ? WrOpcode.RDMA_WRITE : WrOpcode.RDMA_READ, 3000);
            e.flags = i % 3 == 0 ? SendFlag.SIGNALED.code() : 0;
            ids.add(a.post());
        }
        byte[] before = p.b.read(0, 8192);
        ends(p.a, ids.get(0), WcStatus.REM_ACCESS_ERR);
        for (int i = 1; i < ids.size(); i++) {
            ends(p.a, ids.get(i), WcStatus.WR_FLUSH_ERR);
        }
        nothingElse(p.a);
        assertThat(p.a.qp.state()).isEqualTo(QpState.ERR);
        assertThat(p.b.qp.state()).isEqualTo(QpState.ERR);
        assertThat(p.b.read(0, 8192)).isEqualTo(before);
    }

    @Test
    void earlierWorkSucceedsBeforeALocalErrorIsReported() {
        long first = a.post(WrOpcode.RDMA_WRITE, 60_000);
        SendEntry bad = a.begin(WrOpcode.RDMA_WRITE, 10);
        bad.sges().clear();
        bad.sges().add(p.a.at(0), 10, p.a.mr.lkey() ^ 1);
        long second = a.post();
        long third = a.post(WrOpcode.RDMA_WRITE, 10);
        ends(p.a, first, WcStatus.SUCCESS);
        ends(p.a, second, WcStatus.LOC_PROT_ERR);
        ends(p.a, third, WcStatus.WR_FLUSH_ERR);
        nothingElse(p.a);
    }

    @Test
    void aReadIntoMemoryThatMayNotBeWrittenFailsLocally() {
        var readOnly = p.lab.await(p.a.pd.regMr(p.a.at(0), 4096, EnumSet.of(AccessFlag.REMOTE_READ)));
        SendEntry e = a.begin(WrOpcode.RDMA_READ, 100);
        e.sges().clear();
        e.sges().add(p.a.at(0), 100, readOnly.lkey());
        ends(p.a, a.post(), WcStatus.LOC_PROT_ERR);
    }

    @Test
    void aMessageLargerThanItsReceiveFailsOnBothSides() {
        long receive = b.receive(0, 99);
        long send = a.post(WrOpcode.SEND, 100);
        ends(p.b, receive, WcStatus.LOC_LEN_ERR);
        ends(p.a, send, WcStatus.REM_INV_REQ_ERR);
        settle();
        assertThat(p.b.qp.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void aLongMessageThatOverflowsInItsMiddleTouchesNothingBehindTheReceive() {
        byte[] guard = p.b.read(5000, 1000);
        long receive = b.receive(0, 5000);
        long send = a.post(WrOpcode.SEND, 5500);
        ends(p.b, receive, WcStatus.LOC_LEN_ERR);
        ends(p.a, send, WcStatus.REM_INV_REQ_ERR);
        nothingElse(p.b);
        assertThat(p.b.read(5000, 1000)).isEqualTo(guard);
    }

    @Test
    void aReceiveIntoMemoryOfNobodyIsARemoteOperationError() {
        long receive = b.receive(Pair.BUFFER - 50, 100);
        long send = a.post(WrOpcode.SEND, 100);
        ends(p.b, receive, WcStatus.LOC_PROT_ERR);
        ends(p.a, send, WcStatus.REM_OP_ERR);
    }

    @Test
    void anAtomicOnAnOddAddressIsAnInvalidRequest() {
        SendEntry e = a.begin(WrOpcode.ATOMIC_FETCH_AND_ADD, 8);
        e.remoteAddress = p.b.at(4);
        ends(p.a, a.post(), WcStatus.REM_INV_REQ_ERR);
    }

    @Test
    void aRegionThatIsDeregisteredCannotBeReachedAnyMore() {
        ends(p.a, a.post(WrOpcode.RDMA_WRITE, 100), WcStatus.SUCCESS);
        p.lab.await(p.b.mr.dereg());
        ends(p.a, a.post(WrOpcode.RDMA_WRITE, 100), WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void aRegionDeregisteredUnderTrafficEndsItInAnErrorAndNotInACrash() {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(a.post(i % 2 == 0 ? WrOpcode.RDMA_WRITE : WrOpcode.RDMA_READ, 60_000));
        }
        p.lab.await(p.b.mr.dereg());
        WcStatus last = WcStatus.SUCCESS;
        for (long id : ids) {
            WorkCompletion wc = p.next(p.a);
            assertThat(wc.wrId).isEqualTo(id);
            WcStatus expected = last == WcStatus.SUCCESS ? WcStatus.REM_ACCESS_ERR : WcStatus.WR_FLUSH_ERR;
            assertThat(wc.status).isIn(last == WcStatus.SUCCESS ? WcStatus.SUCCESS : expected, expected);
            last = wc.status;
        }
        assertThat(last).isEqualTo(WcStatus.WR_FLUSH_ERR);
        nothingElse(p.a);
    }

    @Test
    void aLateReceiverIsWaitedFor() {
        long send = a.post(WrOpcode.SEND, 3000);
        p.lab.sim().run(p.lab.sim().now() + 300_000_000);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        assertThat(p.lab.sim().stats().value("host1.nic.out_of_buffer")).isGreaterThan(1);
        long receive = b.receive(0, 4096);
        ends(p.b, receive, WcStatus.SUCCESS);
        ends(p.a, send, WcStatus.SUCCESS);
    }

    @ParameterizedTest
    @EnumSource
    void aQueuePairThatIsSetToErrorFlushesWhatItHolds(QpType type) {
        Pair q = pair(type);
        Posts posts = new Posts(q.a, q.b);
        int n = 20;
        for (int i = 0; i < n && type != QpType.UD; i++) {
            posts.post(WrOpcode.RDMA_WRITE, 20_000);
        }
        q.lab.sim().run(q.lab.sim().now() + 3_000_000);
        q.lab.await(q.a.qp.modify(new QpAttributes().state(QpState.ERR)));
        boolean flushing = false;
        for (int i = 0; i < n && type != QpType.UD; i++) {
            WorkCompletion wc = q.next(q.a);
            assertThat(wc.wrId).isEqualTo(i + 1);
            flushing |= wc.status == WcStatus.WR_FLUSH_ERR;
            assertThat(wc.status).isEqualTo(flushing ? WcStatus.WR_FLUSH_ERR : WcStatus.SUCCESS);
        }
        if (type != QpType.UD) {
            assertThat(flushing).isTrue();
            posts.post(WrOpcode.RDMA_WRITE, 5);
            assertThat(q.next(q.a).status).isEqualTo(WcStatus.WR_FLUSH_ERR);
        }
        q.lab.sim().run(q.lab.sim().now() + 100_000_000);
        assertThat(q.a.cq.hasCompletion()).isFalse();
    }

    @Test
    void receivesOfAQueuePairThatIsSetToErrorAreFlushed() {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            ids.add(b.receive(0, 100));
        }
        ends(p.a, a.post(WrOpcode.SEND, 10), WcStatus.SUCCESS);
        ends(p.b, ids.get(0), WcStatus.SUCCESS);
        p.lab.await(p.b.qp.modify(new QpAttributes().state(QpState.ERR)));
        for (int i = 1; i < 40; i++) {
            ends(p.b, ids.get(i), WcStatus.WR_FLUSH_ERR);
        }
        ends(p.b, b.receive(0, 100), WcStatus.WR_FLUSH_ERR);
        nothingElse(p.b);
    }

    @Test
    void aQueuePairThatIsDestroyedUnderTrafficLeavesTheRestAlone() {
        for (int i = 0; i < 10; i++) {
            a.post(WrOpcode.RDMA_WRITE, 60_000);
            b.post(WrOpcode.RDMA_READ, 60_000);
        }
        p.lab.sim().run(p.lab.sim().now() + 2_000_000);
        p.lab.await(p.a.qp.destroy());
        settle();
        p.lab.await(p.b.qp.destroy());
        settle();
    }

    @Test
    void postingNeedsAQueuePairThatIsReady() {
        var fresh = p.lab.await(p.a.pd.createQp(QpInit.of(QpType.RC, p.a.cq, new QpCapabilities(4, 4, 1, 1, 0))));
        var batch = new dev.clockwire.roce.verbs.SendBatch(1, 1);
        batch.add().opcode = WrOpcode.SEND;
        assertThatThrownBy(() -> fresh.postSend(batch))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("RESET");
    }

    @Test
    void aQueueThatNoIndexCanCountIsRefused() {
        var init = QpInit.of(QpType.RC, p.a.cq, new QpCapabilities(20_000, 4, 30, 1, 0));
        if (spec().soft() != null) {
            // the software device has no ring that an index of 16 bits counts
            assertThat(p.lab.await(p.a.pd.createQp(init)).state()).isEqualTo(QpState.RESET);
            return;
        }
        assertThatThrownBy(() -> p.lab.await(p.a.pd.createQp(init)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("32768");
    }

    @Test
    void aCompletionQueueThatOverflowsBreaksAndCorruptsNothing() {
        Pair q = new Pair(
                Lab.twoHosts(Profiles.named("cx7-400g"), spec()), QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL, 8);
        Posts posts = new Posts(q.a, q.b);
        for (int i = 0; i < 20; i++) {
            posts.post(WrOpcode.RDMA_WRITE, 100);
        }
        q.lab.sim().run(q.lab.sim().now() + 100_000_000);
        assertThat(q.a.qp.state()).isEqualTo(QpState.ERR);
        WorkCompletion[] wc = WorkCompletion.array(1);
        for (int i = 0; i < 8; i++) {
            assertThat(q.a.cq.poll(wc)).isEqualTo(1);
            assertThat(wc[0].wrId).isEqualTo(i + 1);
            assertThat(wc[0].status).isEqualTo(WcStatus.SUCCESS);
        }
        assertThatThrownBy(() -> q.a.cq.poll(wc))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("overflowed");
    }
}

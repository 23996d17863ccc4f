package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import org.junit.jupiter.api.Test;

/** A queue pair that goes to RESET forgets all and can be connected again. */
class ResetTest {
    private final Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), spec());
    private final Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    private final Posts a = new Posts(p.a, p.b);
    private final Posts b = new Posts(p.b, p.a);

    /** The software device is tried with the same tests. */
    LabSpec spec() {
        return LabSpec.of(1);
    }

    private void reset() {
        lab.await(p.a.qp.modify(new QpAttributes().state(QpState.RESET)));
        lab.await(p.b.qp.modify(new QpAttributes().state(QpState.RESET)));
        assertThat(p.a.qp.state()).isEqualTo(QpState.RESET);
    }

    private void connect(int psn) {
        Connections.join(lab, p.a.qp, lab.b().gid(), p.b.qp.qpn(), psn, psn + 1, Mtu.MTU_1024);
        Connections.join(lab, p.b.qp, lab.a().gid(), p.a.qp.qpn(), psn + 1, psn, Mtu.MTU_1024);
    }

    private void works() {
        byte[] data = {1, 2, 3, 4};
        p.a.write(0, data);
        long receive = b.receive(4096, 100);
        long send = a.post(WrOpcode.SEND, 4);
        long read = a.post(WrOpcode.RDMA_READ, 3000);
        for (long id : new long[] {send, read}) {
            WorkCompletion wc = p.next(p.a);
            assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
            assertThat(wc.wrId).isEqualTo(id);
        }
        WorkCompletion wc = p.next(p.b);
        assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
        assertThat(wc.wrId).isEqualTo(receive);
        assertThat(p.b.read(4096, 4)).isEqualTo(data);
        lab.sim().run(lab.sim().now() + 100_000_000);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        assertThat(p.b.cq.hasCompletion()).isFalse();
    }

    @Test
    void whatWasPostedEndsWithoutACompletion() {
        for (int i = 0; i < 20; i++) {
            a.post(WrOpcode.RDMA_WRITE, 60_000);
            b.receive(0, 100);
            a.receive(0, 100);
        }
        lab.sim().run(lab.sim().now() + 3_000_000);
        reset();
        lab.sim().run(lab.sim().now() + 100_000_000);
        assertThat(p.a.cq.poll(WorkCompletion.array(8)))
                .as("taken off the queue")
                .isZero();
        assertThat(p.b.cq.poll(WorkCompletion.array(8))).isZero();
        connect(77);
        works();
    }

    @Test
    void anIdleQueuePairIsResetManyTimes() {
        for (int i = 0; i < 20; i++) {
            reset();
            connect(1000 * i);
            works();
        }
    }

    /** However slow the way into memory is: what had completed before does not turn up afterwards. */
    @Test
    void noCompletionComesLate() {
        Lab slow = Lab.twoHosts(Profiles.named("cx7-400g").with("host.write_commit_ns", "9000"), spec());
        Pair q = new Pair(slow, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        for (long wait = 500_000; wait < 20_000_000; wait += 700_000) {
            new Posts(q.a, q.b).post(WrOpcode.RDMA_WRITE, 100);
            slow.sim().run(slow.sim().now() + wait);
            for (Pair.Side side : new Pair.Side[] {q.a, q.b}) {
                slow.await(side.qp.modify(new QpAttributes().state(QpState.RESET)));
            }
            slow.sim().run(slow.sim().now() + 40_000_000);
            assertThat(q.a.cq.poll(WorkCompletion.array(4)))
                    .as("reset %d ps after posting", wait)
                    .isZero();
            Connections.join(slow, q.a.qp, slow.b().gid(), q.b.qp.qpn(), 1, 2, Mtu.MTU_1024);
            Connections.join(slow, q.b.qp, slow.a().gid(), q.a.qp.qpn(), 2, 1, Mtu.MTU_1024);
        }
    }

    /** Numbers are not given out again, places in the device are. */
    @Test
    void destroyedQueuePairsMakeRoomForOthers() {
        for (int i = 0; i < 30; i++) {
            Pair q = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
            long id = new Posts(q.a, q.b).post(WrOpcode.RDMA_WRITE, 20_000);
            if (i % 2 == 0) {
                assertThat(q.next(q.a).wrId).isEqualTo(id);
            }
            for (Pair.Side side : new Pair.Side[] {q.a, q.b}) {
                lab.await(side.qp.destroy());
                assertThat(side.cq.hasCompletion()).isFalse();
                lab.await(side.cq.destroy());
            }
        }
        if (spec().soft() == null) {
            var table = lab.a().nic().parts().table();
            assertThat(table.uar(1)).isNull();
            assertThat(table.hasUar()).isTrue();
        }
        works();
    }

    @Test
    void resetMendsAFailedQueuePair() {
        a.begin(WrOpcode.RDMA_WRITE, 10).rkey++;
        a.post();
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.REM_ACCESS_ERR);
        lab.sim().run(lab.sim().now() + 100_000_000);
        reset();
        connect(5);
        works();
    }
}

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
    private final Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1));
    private final Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    private final Posts a = new Posts(p.a, p.b);
    private final Posts b = new Posts(p.b, p.a);

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

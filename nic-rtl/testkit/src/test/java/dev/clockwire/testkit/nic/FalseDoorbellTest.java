package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.doorbell.Uar;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Doorbells that announce more than was posted: the device reads what is left in its ring, but a reset ends and all is well again. */
class FalseDoorbellTest {
    private static void announce(Pair p, int index) {
        long page = p.a.host.nic().uarPage(p.a.qp.qpn());
        p.a.host.core().mmioWrite(page + Uar.WQE_DB_REG, p.a.qp.qpn() | (index & 0xFFFFL) << 32, Long.BYTES);
    }

    /** So many posts come first, none or more than the ring holds, read by the device or stored into it; the reset comes so many ns later. */
    @ParameterizedTest
    @CsvSource({
        "0, 1, 0",
        "0, 3, 50000",
        "5, 1, 50000",
        "5, 4, 50000",
        "5, 4, 0",
        "5, 4, 200",
        "5, 4, 300",
        "5, 4, 400",
        "5, 4, 500",
        "5, 4, 600",
        "5, 4, 800",
        "5, 4, 1000",
        "5, 60, 700",
        "200, 1, 50000",
        "200, 7, 50000",
        "200, 7, 0",
        "200, 7, 300",
        "200, 7, 450",
        "200, 7, 600",
        "200, 7, 900",
        "200, 7, 1500",
        "200, 64, 700",
        "200, 64, 50000"
    })
    void aResetEndsWhateverWasAnnounced(int posts, int more, long ns) {
        reset("false", posts, more, ns);
        reset("true", posts, more, ns);
    }

    private static void reset(String blueflame, int posts, int more, long ns) {
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g").with("nic.blueflame", blueflame), LabSpec.of(1));
        Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL, 256);
        Posts a = new Posts(p.a, p.b);
        for (int i = 0; i < posts; i++) {
            a.post(WrOpcode.RDMA_WRITE, 100);
            p.next(p.a);
        }
        announce(p, posts + more);
        lab.sim().run(lab.sim().now() + 1 + 1000 * ns);
        lab.await(p.a.qp.modify(new QpAttributes().state(QpState.RESET)));
        lab.await(p.b.qp.modify(new QpAttributes().state(QpState.RESET)));
        assertThat(p.a.qp.state()).isEqualTo(QpState.RESET);
        p.a.cq.poll(WorkCompletion.array(256));
        Connections.join(lab, p.a.qp, lab.b().gid(), p.b.qp.qpn(), 77, 78, Mtu.MTU_1024);
        Connections.join(lab, p.b.qp, lab.a().gid(), p.a.qp.qpn(), 78, 77, Mtu.MTU_1024);
        for (int i = 0; i < 70; i++) {
            long id = a.post(WrOpcode.RDMA_WRITE, 4);
            WorkCompletion wc = p.next(p.a);
            assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
            assertThat(wc.wrId).isEqualTo(id);
        }
    }
}

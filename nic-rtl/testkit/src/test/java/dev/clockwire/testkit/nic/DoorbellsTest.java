package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.doorbell.Uar;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.format.WqeWriter;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.mem.Allocation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stores into the user access region that no driver would make: counted, without effect. */
class DoorbellsTest {
    private final Pair p = new Pair(
            Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1)), QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    private final CpuCore core = p.a.host.core();
    private long page;

    @BeforeEach
    void findThePage() {
        page = p.a.host.nic().uarPage(p.a.qp.qpn());
    }

    private long errors() {
        p.lab.sim().run(p.lab.sim().now() + 10_000_000);
        return p.a.host.nic().doorbellErrors();
    }

    private void stillWorks() {
        long before = errors();
        assertThat(new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 100)).isEqualTo(1);
        assertThat(p.next(p.a).wrId).isEqualTo(1);
        assertThat(errors()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "0, 2", // sizes that no doorbell has
        "4, 2",
        "8, 8",
        "0x7F8, 8",
        "0xA00, 8",
        "0x800, 4",
        "0xFFC, 4" // registers that do not exist
    })
    void aStoreThatHitsNoRegisterIsCounted(String offset, int size) {
        core.mmioWrite(page + Long.decode(offset), p.a.qp.qpn(), size);
        assertThat(errors()).isEqualTo(1);
        stillWorks();
    }

    @Test
    void aDoorbellOfAnotherQueueOnThisPageIsCounted() {
        core.mmioWrite(page + Uar.WQE_DB_REG, p.a.qp.qpn() + 1L, 8);
        assertThat(errors()).isEqualTo(1);
        stillWorks();
    }

    @Test
    void aPageOfNobodyIsCounted() {
        core.mmioWrite(page + Uar.PAGE, p.a.qp.qpn() + 1L, 8);
        core.mmioWrite(p.a.host.nic().endpoint().barAddress(Uar.BAR), 0, 4);
        assertThat(errors()).isEqualTo(2);
        stillWorks();
    }

    @Test
    void aPieceOutOfOrderIsCounted() {
        core.mmioWrite(page + Uar.BLUEFLAME_A + 64, new byte[64], 0, 64);
        assertThat(errors()).isEqualTo(1);
        stillWorks();
    }

    @Test
    void aDoorbellThatSaysNothingNewDoesNothing() {
        core.mmioWrite(page + Uar.WQE_DB_REG, p.a.qp.qpn(), 8);
        core.mmioWrite(page + Uar.WQE_DB_REG, p.a.qp.qpn(), 4);
        assertThat(errors()).isZero();
        assertThat(p.a.host.nic().endpoint().readsOutstanding()).isZero();
        stillWorks();
    }

    /** Two cores write their BlueFlame WQEs at once; the stores come one of each in turn. */
    @Test
    void blueFlameWritesOfTwoQueuesDoNotMix() {
        Pair both = new Pair(p.lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        byte[][] wqes = {blueFlame(p, 'x'), blueFlame(both, 'y')};
        long[] pages = {page, both.a.host.nic().uarPage(both.a.qp.qpn())};
        for (int piece = 0; piece < 4; piece++) {
            for (int i = 0; i < 2; i++) {
                core.mmioWrite(pages[i] + Uar.BLUEFLAME_A + 64L * piece, wqes[i], 64 * piece, 64);
            }
        }
        p.lab.sim().run(p.lab.sim().now() + 20_000_000);
        assertThat(p.b.read(0, 200)).containsOnly('x');
        assertThat(both.b.read(0, 200)).containsOnly('y');
        assertThat(errors()).isZero();
    }

    private static byte[] blueFlame(Pair p, char fill) {
        WqeWriter w = new WqeWriter();
        w.begin(WqeOpcode.RDMA_WRITE, 0, p.a.qp.qpn(), true, false, false, 0);
        w.remoteAddress(p.b.at(0), p.b.mr.rkey());
        int at = w.inline(200);
        java.util.Arrays.fill(w.bytes(), at, at + 200, (byte) fill);
        w.finish();
        return w.bytes();
    }

    /** A driver's WQE that is no WQE of this queue ends in an error and harms nobody. */
    @Test
    void aWqeThatMakesNoSenseIsAQueueError() {
        byte[] wqe = blueFlame(p, 'z');
        wqe[3] = 0x55;
        core.mmioWrite(page + Uar.BLUEFLAME_A, wqe, 0, 256);
        p.lab.sim().run(p.lab.sim().now() + 20_000_000);
        assertThat(p.a.cq.hasCompletion()).isTrue();
        assertThat(p.a.qp.state()).isEqualTo(dev.clockwire.roce.transport.QpState.ERR);
    }
}

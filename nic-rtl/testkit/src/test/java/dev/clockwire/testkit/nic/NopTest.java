package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.doorbell.Uar;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.format.WqeWriter;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.mem.Allocation;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** NOP WQEs, as a driver writes them to fill a ring up: they end like others, also as the last of a queue that is reset. */
class NopTest {
    private final Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1));
    private final Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    private final QpContext qp =
            Objects.requireNonNull(lab.a().nic().parts().table().qp(p.a.qp.qpn()));

    private void nops(int from, int count, boolean signaled) {
        for (int i = from; i < from + count; i++) {
            WqeWriter w = new WqeWriter();
            w.begin(WqeOpcode.NOP, i, qp.qpn, signaled, false, false, 0);
            lab.a().host().memory().putBytes(qp.sqBase + (long) i * Wqe.BLOCK, w.bytes(), 0, w.finish());
        }
        lab.a().host().memory().putIntBe(qp.recordAddress + 4, from + count);
        long doorbell = lab.a().nic().uarPage(qp.qpn) + Uar.WQE_DB_REG;
        lab.a().core().mmioWrite(doorbell, qp.qpn | (long) (from + count) << 32, 8);
    }

    /** Behind so many WRITEs, that are under way or have ended; reset before or after the NOPs came. */
    @ParameterizedTest
    @CsvSource({
        "0, 1, 0",
        "0, 3, 5000",
        "2, 1, 0",
        "2, 1, 300",
        "2, 5, 600",
        "2, 1, 900",
        "2, 7, 1500",
        "4, 1, 20000",
        "1, 40, 20000"
    })
    void aQueueThatEndsWithThemIsReset(int writes, int nops, long afterNs) {
        for (int i = 0; i < writes; i++) {
            new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 64);
        }
        nops(writes, nops, false);
        lab.sim().run(lab.sim().now() + 1000 * afterNs + 1);
        lab.a().nic().reset(qp, writes + nops);
        assertThat(lab.sim().runUntil(() -> qp.state == QpState.RESET, lab.sim().now() + 100_000_000))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"true, 5", "false, 2"})
    void oneThatAsksForACompletionHasOneBehindThoseBeforeIt(boolean signaled, int completions) {
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 60_000);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_READ, 60_000);
        nops(2, 3, signaled);
        lab.sim().run(lab.sim().now() + 50_000_000);
        long produced = lab.a().nic().produced(p.a.cq.provider().number());
        assertThat(produced).isEqualTo(completions);
        assertThat(p.next(p.a).opcode).isEqualTo(dev.clockwire.roce.verbs.WcOpcode.RDMA_WRITE);
        assertThat(p.next(p.a).opcode).isEqualTo(dev.clockwire.roce.verbs.WcOpcode.RDMA_READ);
    }
}

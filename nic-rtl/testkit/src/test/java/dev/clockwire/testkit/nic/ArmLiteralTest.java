package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.doorbell.Uar;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.regs.NicRegisters;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.mem.Allocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** UAR_CTRL[2]: the article's CQ_ARM_DB has eight bits for the consumer index, so a driver that is 256 completions behind waits for ever. */
class ArmLiteralTest {
    private static final int COMPLETIONS = 300;

    private final Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1));

    /** After 300 completions 44 = 300 modulo 256 says that all were seen, and 45 even one more; with all 24 bits they say that most were not. */
    @ParameterizedTest
    @CsvSource({
        "true, 44, 0",
        "true, 43, 1",
        "true, 200, 1",
        "true, 45, 0",
        "false, 44, 1",
        "false, 300, 0",
        "false, 299, 1"
    })
    void whoHasSeenLessIsToldAtOnce(boolean literal, int seen, long events) {
        if (literal) {
            long at = lab.a().nic().endpoint().barAddress(NicRegisters.BAR) + NicRegisters.UAR_CTRL;
            lab.a().core().mmioWrite(at, 0b110, 4);
        }
        lab.sim().run(lab.sim().now() + 5_000_000);
        Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        p.a.cq.reqNotify(false);
        for (int i = 0; i < COMPLETIONS; i++) {
            new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 8);
            assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        }
        lab.sim().run(lab.sim().now() + 10_000_000);
        long before = lab.a().nic().completions().eventEntries();
        assertThat(before).as("the driver's own arming").isEqualTo(1);
        int cqn = p.a.cq.provider().number();
        long page = lab.a().nic().uarPage(p.a.qp.qpn());
        long word = literal ? cqn | (long) (seen & 0xFF) << 24 : cqn | (seen | 1L << Uar.SEQUENCE_SHIFT) << 32;
        lab.a().core().mmioWrite(page + Uar.CQ_ARM_DB, word, literal ? 4 : 8);
        lab.sim().run(lab.sim().now() + 10_000_000);
        assertThat(lab.a().nic().completions().eventEntries() - before).isEqualTo(events);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 8);
        lab.sim().run(lab.sim().now() + 10_000_000);
        assertThat(lab.a().nic().completions().eventEntries() - before)
                .as("the next completion ends the wait")
                .isEqualTo(1);
    }
}

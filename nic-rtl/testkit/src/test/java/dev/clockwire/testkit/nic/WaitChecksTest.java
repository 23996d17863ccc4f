package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.StarLab;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.Numbering;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a WAIT that makes no sense comes to, and a star of hosts that cannot be. */
class WaitChecksTest {
    private static final int CQN_AT = 16 + 12;

    private static Pair pair(QpType type, LabSpec spec) {
        return new Pair(Lab.twoHosts(Profiles.named("cx7-400g"), spec), type, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private static void refused(Pair p, CompletionQueue cq, long completions, Errno errno, String text) {
        assertThatThrownBy(() -> p.a.qp.postWait(1, cq, completions))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(text);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, (1L << 30) + 1, 1L << 32, Long.MAX_VALUE})
    void aNumberOutOfRange(long completions) {
        Pair p = pair(QpType.RC, LabSpec.of(1));
        refused(p, p.a.cq, completions, Errno.EINVAL, "must be 1..1073741824");
    }

    @Test
    void theLargestNumber() {
        Pair p = pair(QpType.RC, LabSpec.of(1));
        p.a.qp.postWait(1, p.a.cq, 1L << 30);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 8);
        p.lab.sim().run(p.lab.sim().now() + 100_000_000);
        assertThat(p.a.cq.hasCompletion()).isFalse();
    }

    @Test
    void aQueueOfAnotherDeviceOrNone() {
        Pair p = pair(QpType.RC, LabSpec.of(1));
        refused(p, p.b.cq, 1, Errno.EINVAL, "of another device");
        CompletionQueue gone = p.lab.await(p.a.host.context().createCq(4));
        p.lab.await(gone.destroy());
        refused(p, gone, 1, Errno.EINVAL, "is destroyed");
    }

    @Test
    void aServiceOrStateThatCannotAndSoftwareThatCan() {
        Pair datagrams = pair(QpType.UD, LabSpec.of(1));
        refused(datagrams, datagrams.a.cq, 1, Errno.EINVAL, "not allowed on UD");
        Pair reset = pair(QpType.RC, LabSpec.of(1));
        reset.lab.await(reset.a.qp.modify(new QpAttributes().state(QpState.RESET)));
        refused(reset, reset.a.cq, 1, Errno.EINVAL, "state is RESET");
        Pair software = pair(QpType.RC, LabSpec.of(1).withSoft(SoftSpec.usual()));
        refused(software, software.b.cq, 1, Errno.EINVAL, "of another device");
        refused(software, software.a.cq, 0, Errno.EINVAL, "must be 1..1073741824");
        software.a.qp.postWait(1, software.a.cq, 1L << 30);
        new Posts(software.a, software.b).post(WrOpcode.RDMA_WRITE, 8);
        software.lab.sim().run(software.lab.sim().now() + 100_000_000);
        assertThat(software.a.cq.hasCompletion()).isFalse();
    }

    @Test
    void aFullQueue() {
        Pair p = pair(QpType.RC, LabSpec.of(1));
        for (int i = 0; i < 64; i++) {
            p.a.qp.postWait(i, p.a.cq, 1);
        }
        refused(p, p.a.cq, 1, Errno.ENOMEM, "send queue of 64 is full");
    }

    /** The driver never writes such a number; a program with rings of its own could. */
    @Test
    void aQueueThatTheDeviceDoesNotKnow() {
        Chain c = new Chain(Chain.profile().with("nic.blueflame", "false"), LabSpec.of(1), 16);
        QpContext context =
                Objects.requireNonNull(c.out.host.nic().parts().table().qp(c.out.qp.qpn()));
        c.out.qp.postWait(5, c.in.cq, 1);
        c.out.host.host().memory().putIntBe(context.sqBase + CQN_AT, 0xFFFFFF);
        c.out.send(WrOpcode.SEND_WITH_IMM, 6, 8, c.last);
        WorkCompletion wc = c.next(c.out);
        assertThat(wc.status).isEqualTo(WcStatus.LOC_QP_OP_ERR);
        assertThat(wc.wrId).isEqualTo(5);
        assertThat(c.next(c.out).status).isEqualTo(WcStatus.WR_FLUSH_ERR);
        c.run(1_000_000);
        assertThat(c.out.qp.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void starsThatCannotBe() {
        for (int hosts : new int[] {-1, 1, 65}) {
            assertThatThrownBy(() -> StarLab.of(Chain.profile(), LabSpec.of(1), hosts))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("must be 2..64");
        }
        assertThatThrownBy(() -> StarLab.of(Profiles.named("cx7-400g"), LabSpec.of(1), 3))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("needs a switch");
        Numbering given = Numbering.counting();
        assertThatThrownBy(() -> StarLab.of(Chain.profile(), LabSpec.of(1).withNumbering(given, null), 3))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("cannot be given");
    }
}

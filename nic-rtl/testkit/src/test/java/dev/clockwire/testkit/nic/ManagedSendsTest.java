package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.testkit.Modes;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends that no doorbell releases, but a SEND_EN on another queue pair. */
class ManagedSendsTest {
    private static final long LONG_PS = 100_000_000;
    private static final int QPN_AT = 16 + 12;

    /** A chain whose middle host has a managed queue pair to the last, beside the two of the chain. */
    private static final class Rig {
        final Chain c;
        final Chain.Side held;
        final Chain.Side there;

        Rig(Profile profile, LabSpec spec) {
            c = new Chain(profile, spec, 4 * Chain.DEPTH);
            held = c.in.managed(c.lab);
            there = c.last.another(c.lab);
            c.join(held, there);
        }

        /** Posts so many, with what is received. */
        void post(int from, int count) {
            for (int i = from; i < from + count; i++) {
                there.receive(i);
                held.send(WrOpcode.SEND_WITH_IMM, i, 100 + i, there);
            }
        }

        /** The next that come are these, and no more. */
        void comes(int from, int count) {
            for (int i = from; i < from + count; i++) {
                WorkCompletion wc = c.next(there);
                assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
                assertThat(wc.immOrKey).isEqualTo(i);
                assertThat(wc.byteLength).isEqualTo(100 + i);
                assertThat(c.next(held).wrId).isEqualTo(i);
            }
            c.run(LONG_PS);
            assertThat(there.cq.hasCompletion())
                    .as("more than %d", from + count)
                    .isFalse();
        }
    }

    private static Rig rig() {
        return new Rig(Chain.profile(), LabSpec.of(1));
    }

    @ParameterizedTest
    @CsvSource({"true, true", "false, true", "false, false"})
    void nothingLeavesBeforeItIsReleased(boolean blueflame, boolean index) {
        Profile profile = Chain.profile()
                .with("nic.blueflame", Boolean.toString(blueflame))
                .with("nic.doorbell.carries_pi", Boolean.toString(index));
        Rig r = new Rig(profile, LabSpec.of(1));
        r.post(0, 10);
        r.comes(0, 0);
        r.c.out.qp.postEnable(0, r.held.qp, 1);
        r.comes(0, 1);
        r.c.out.qp.postEnable(0, r.held.qp, 3);
        r.c.out.qp.postEnable(0, r.held.qp, 4);
        r.comes(1, 7);
        r.c.out.qp.postEnable(0, r.held.qp, 2);
        r.comes(8, 2);
        assertThat(r.c.out.cq.hasCompletion()).as("SEND_EN has no completion").isFalse();
    }

    /** A queue pair that sends next to nothing waits and releases; the rings go round several times. */
    private static void forward(Rig r, int rounds) {
        Chain c = r.c;
        int n = 10;
        for (int round = 0; round < rounds; round++) {
            int from = round * n;
            r.post(from, n);
            for (int i = from; i < from + n; i++) {
                c.in.receive(i);
                c.out.qp.postWait(0, c.in.cq, i + 1);
                c.out.qp.postEnable(0, r.held.qp, 1);
            }
            c.out.send(WrOpcode.RDMA_WRITE, round, 0, c.last); // its completion frees the ring
            r.comes(from, 0);
            long steps = c.in.host.core().steps();
            for (int i = from; i < from + n; i++) {
                c.first.send(WrOpcode.SEND_WITH_IMM, i, 8, c.in);
            }
            r.comes(from, n);
            assertThat(c.in.host.core().steps()).isEqualTo(steps);
            for (int i = 0; i < n; i++) {
                assertThat(c.next(c.in).status).isEqualTo(WcStatus.SUCCESS);
                assertThat(c.next(c.first).status).isEqualTo(WcStatus.SUCCESS);
            }
            assertThat(c.next(c.out).wrId).isEqualTo(round);
        }
    }

    @Test
    void aCompletionReleasesThemWithoutACore() {
        forward(rig(), 30);
    }

    @Test
    void theModeOfTheKernelIsInvisible() {
        Long expected = null;
        for (Map.Entry<String, SimSpec> mode : Modes.all(5).entrySet()) {
            Rig r = new Rig(Chain.profile(), LabSpec.of(5).withKernel(mode.getValue()));
            forward(r, 1);
            long hash = r.c.lab.sim().traceHash();
            expected = expected == null ? (Long) hash : expected;
            assertThat(hash).as(mode.getKey()).isEqualTo(expected);
        }
    }

    @Test
    void aFailedQueueFlushesWhatIsHeldAndWhatComes() {
        Rig r = rig();
        r.post(0, 3);
        r.comes(0, 0);
        r.c.lab.await(r.held.qp.modify(new QpAttributes().state(QpState.ERR)));
        r.held.send(WrOpcode.SEND_WITH_IMM, 3, 8, r.there);
        for (int i = 0; i < 4; i++) {
            WorkCompletion wc = r.c.next(r.held);
            assertThat(wc.status).isEqualTo(WcStatus.WR_FLUSH_ERR);
            assertThat(wc.wrId).isEqualTo(i);
        }
    }

    @Test
    void aResetQueueHoldsAgain() {
        Rig r = rig();
        r.post(0, 3);
        r.c.out.qp.postEnable(0, r.held.qp, 1);
        r.comes(0, 1);
        r.c.lab.await(r.held.qp.modify(new QpAttributes().state(QpState.RESET)));
        r.c.lab.await(r.there.qp.modify(new QpAttributes().state(QpState.RESET)));
        assertThat(r.held.cq.hasCompletion()).isFalse();
        r.c.join(r.held, r.there);
        r.post(5, 3);
        r.comes(5, 0);
        r.c.out.qp.postEnable(0, r.held.qp, 2);
        r.comes(5, 2);
    }

    private static void refused(Rig r, QueuePair other, int sends, String text) {
        assertThatThrownBy(() -> r.c.out.qp.postEnable(0, other, sends))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining(text);
    }

    @Test
    void whatCannotBeReleased() {
        Rig r = rig();
        r.post(0, 3);
        refused(r, r.held.qp, 0, "must be 1..3");
        refused(r, r.held.qp, 4, "must be 1..3");
        refused(r, r.c.in.qp, 1, "has no managed sends");
        Chain.Side far = r.c.last.managed(r.c.lab);
        refused(r, far.qp, 1, "of another device");
        r.c.lab.await(far.qp.destroy());
        refused(r, far.qp, 1, "is destroyed");
        QpInit datagrams = QpInit.of(QpType.UD, r.held.cq, new QpCapabilities(1, 1, 1, 1, 0))
                .withManagedSends();
        assertThatThrownBy(() -> r.held.pd.createQp(datagrams)).hasMessageContaining("for RC, not UD");
    }

    @Test
    void aDeviceThatCannot() {
        LabSpec soft = LabSpec.of(1).withSoft(SoftSpec.usual());
        Pair p =
                new Pair(Lab.twoHosts(Profiles.named("cx7-400g"), soft), QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        QpInit there = p.a.qp.init().withManagedSends();
        assertThatThrownBy(() -> p.lab.await(p.a.pd.createQp(there)))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP));
    }

    /** The driver never writes such a number; a program with rings of its own could. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aQueuePairThatTheDeviceCannotRelease(boolean exists) {
        Rig r = new Rig(Chain.profile().with("nic.blueflame", "false"), LabSpec.of(1));
        r.post(0, 1);
        QpContext context =
                Objects.requireNonNull(r.c.out.host.nic().parts().table().qp(r.c.out.qp.qpn()));
        r.c.out.qp.postEnable(5, r.held.qp, 1);
        r.c.out.host.host().memory().putIntBe(context.sqBase + QPN_AT, exists ? r.c.out.qp.qpn() : 0xFFFFFF);
        WorkCompletion wc = r.c.next(r.c.out);
        assertThat(wc.status).isEqualTo(WcStatus.LOC_QP_OP_ERR);
        assertThat(wc.wrId).isEqualTo(5);
        r.comes(0, 0);
    }
}

package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.sim.mem.Allocation;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What two devices allow each other: receives that are announced, and READs that may be outstanding. */
class FlowControlTest {
    private static final int MESSAGES = 5;
    private static final long WAIT_PS = 100_000_000;

    private static Pair pair(ConnectionRig.Provider provider, boolean credits, boolean refuse) {
        Profile profile = Profiles.named("cx7-400g")
                .with("nic.qp.credits", Boolean.toString(credits))
                .with("nic.qp.refuse_excess_reads", Boolean.toString(refuse));
        SoftSpec soft = SoftSpec.usual().withCredits(credits).withRefuseExcessReads(refuse);
        LabSpec spec = LabSpec.of(1).withSoft(provider == ConnectionRig.Provider.SOFTWARE ? soft : null);
        return new Pair(Lab.twoHosts(profile, spec), QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    @ParameterizedTest
    @CsvSource({"HARDWARE, true", "SOFTWARE, true", "HARDWARE, false", "SOFTWARE, false"})
    void onePacketAsksWhereAllWentInVain(ConnectionRig.Provider provider, boolean credits) {
        Pair p = pair(provider, credits, true);
        Lossy line = new Lossy(p.lab);
        Posts a = new Posts(p.a, p.b);
        for (int i = 0; i < MESSAGES; i++) {
            a.post(WrOpcode.SEND, 2000);
        }
        // Shorter than the wait that the receiver asks for.
        p.lab.sim().run(p.lab.sim().now() + 8_000_000);
        long requests = line.frames.stream().filter(f -> !f.opcode.isResponse()).count();
        assertThat(requests == 1).isEqualTo(credits);
        Posts b = new Posts(p.b, p.a);
        for (int i = 0; i < MESSAGES; i++) {
            b.receive(i * 4096, 2000);
        }
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
            WorkCompletion wc = p.next(p.b);
            assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
            assertThat(wc.byteLength).isEqualTo(2000);
        }
        List<Lossy.Frame> answers = line.sent(Opcode.RC_ACKNOWLEDGE);
        assertThat(answers.get(answers.size() - 1).syndrome).isEqualTo(credits ? 0 : Syndrome.ACK);
    }

    @ParameterizedTest
    @EnumSource
    void anAcknowledgementSaysHowManyReceivesAreLeft(ConnectionRig.Provider provider) {
        Pair p = pair(provider, true, true);
        Lossy line = new Lossy(p.lab);
        Posts b = new Posts(p.b, p.a);
        for (int i = 0; i < MESSAGES; i++) {
            b.receive(0, 100);
        }
        p.lab.sim().run(p.lab.sim().now() + WAIT_PS);
        new Posts(p.a, p.b).post(WrOpcode.SEND, 10);
        p.next(p.a);
        assertThat(line.sent(Opcode.RC_ACKNOWLEDGE)).extracting(f -> f.syndrome).containsExactly(MESSAGES - 1);
    }

    /** Only a drained queue pair may get other limits. */
    private static void drain(Pair p, Pair.Side side) {
        p.lab.await(side.qp.modify(new QpAttributes().state(QpState.SQD)));
        p.lab.sim().run(p.lab.sim().now() + WAIT_PS);
    }

    @ParameterizedTest
    @CsvSource({"HARDWARE, true", "SOFTWARE, true", "HARDWARE, false", "SOFTWARE, false"})
    void moreReadsOutstandingThanAgreedAreAnInvalidRequest(ConnectionRig.Provider provider, boolean refuse) {
        Pair p = pair(provider, false, refuse);
        drain(p, p.b);
        p.lab.await(p.b.qp.modify(new QpAttributes().state(QpState.SQD).maxDestRdAtomic(1)));
        Posts a = new Posts(p.a, p.b);
        a.post(WrOpcode.RDMA_READ, 1 << 18);
        a.post(WrOpcode.RDMA_READ, 100);
        assertThat(p.next(p.a).status).as("the one before").isEqualTo(WcStatus.SUCCESS);
        assertThat(p.next(p.a).status).isEqualTo(refuse ? WcStatus.REM_INV_REQ_ERR : WcStatus.SUCCESS);
        assertThat(p.b.qp.state()).isEqualTo(refuse ? QpState.ERR : QpState.SQD);
    }

    @ParameterizedTest
    @EnumSource
    void asManyReadsAsAgreedAreNeverTooMany(ConnectionRig.Provider provider) {
        Pair p = pair(provider, false, true);
        for (Pair.Side side : List.of(p.a, p.b)) {
            drain(p, side);
            p.lab.await(side.qp.modify(
                    new QpAttributes().state(QpState.SQD).maxRdAtomic(2).maxDestRdAtomic(2)));
            p.lab.await(side.qp.modify(new QpAttributes().state(QpState.RTS)));
        }
        Posts a = new Posts(p.a, p.b);
        for (int i = 0; i < 40; i++) {
            a.post(i % 3 == 0 ? WrOpcode.ATOMIC_FETCH_AND_ADD : WrOpcode.RDMA_READ, i % 3 == 0 ? 8 : 1 + i * 300);
        }
        for (int i = 0; i < 40; i++) {
            assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        }
    }
}

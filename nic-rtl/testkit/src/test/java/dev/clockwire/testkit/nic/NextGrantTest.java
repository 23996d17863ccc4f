package dev.clockwire.testkit.nic;

import static dev.clockwire.testkit.nic.MemoryAssert.assertThatMemory;
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
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Grantee;
import dev.clockwire.sim.mem.Hold;
import dev.clockwire.sim.mem.MemoryFinding;
import dev.clockwire.sim.mem.MemorySanitizer;
import dev.clockwire.sim.mem.Ownership;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A WRITE that was posted under one grant and lands under the next, of the same slot to the same peer by the same key, is found; no other is. */
class NextGrantTest {
    private static final int SLOT = 8192;
    private static final int MTU = 1024;
    private static final long US = 1_000_000;

    LabSpec spec() {
        return LabSpec.of(1).withSanitizer(true);
    }

    private Pair pair(QpType type, FaultRule... faults) {
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), spec().withFaults(FaultPlan.of(faults)));
        return new Pair(lab, type, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private static FaultRule nth(FaultAction what, Opcode opcode, long... frames) {
        List<Long> all = Arrays.stream(frames).boxed().toList();
        return FaultRule.of(what, new FaultTrigger.Frames(all))
                .where(token -> token instanceof RocePacket r && r.opcode == opcode.code());
    }

    private static FaultRule delayed(long frame) {
        return nth(new FaultAction.Delay(), Opcode.RC_RDMA_WRITE_ONLY, frame).lasting(30 * US);
    }

    private static MemorySanitizer owners(Pair p) {
        return p.a.host.sanitizer();
    }

    private static Ownership grant(Pair p) {
        Grantee writer = Grantee.of("writer").withQp(p.a.qp.qpn()).withKey(p.a.mr.rkey());
        return owners(p).grant(p.a.at(0), SLOT, Hold.PEER_WRITES, writer);
    }

    /** The slot is taken back, as if the peer were done, and granted to it again. */
    private static Ownership again(Pair p, Ownership before) {
        owners(p).returned(before);
        return grant(p);
    }

    private static void runFor(Pair p, long ps) {
        p.lab.sim().run(p.lab.sim().now() + ps);
    }

    private static void written(Pair p) {
        assertThat(p.next(p.b, 1_000_000 * US).status).isEqualTo(WcStatus.SUCCESS);
    }

    /** The next one is found if its slot is granted anew while it is on its way, as what it is: the third. */
    private static void isLate(Pair p, Posts posts, Ownership slot) {
        posts.post(WrOpcode.RDMA_WRITE, 512);
        runFor(p, 10 * US);
        again(p, slot);
        written(p);
        runFor(p, US);
        assertThat(assertThatMemory(p.lab).hasOneLateAccess().history())
                .last()
                .asString()
                .contains("wr_id=3 ");
    }

    @Test
    void aWriteThatComesAfterItsSlotWasGrantedAnewIsFound() {
        Pair p = pair(QpType.RC, delayed(1));
        Ownership first = grant(p);
        long granted = p.lab.sim().now();
        runFor(p, US);
        long posted = p.lab.sim().now();
        long id = new Posts(p.b, p.a).post(WrOpcode.RDMA_WRITE, 512);
        runFor(p, 10 * US);
        long anew = p.lab.sim().now();
        Ownership second = again(p, first);
        assertThat(p.lab.sanitizer().findings()).isEmpty();
        written(p);
        runFor(p, US);
        MemoryFinding f = assertThatMemory(p.lab).hasOneLateAccess();
        String qp = "0x" + Integer.toHexString(p.a.qp.qpn());
        String key = "0x" + Integer.toHexString(p.a.mr.rkey());
        String device = p.a.host.device().name();
        assertThat(f.access()).isEqualTo(MemoryFinding.Access.WRITE);
        assertThat(f.address()).isEqualTo(p.a.at(0));
        assertThat(f.length()).isEqualTo(512);
        assertThat(f.ps()).isBetween(posted + 30 * US, posted + 40 * US);
        assertThat(f.toucher()).isEqualTo("the peer of QP " + qp + " of " + device + " with rkey " + key);
        String who = " to writer, by QP " + qp + ", rkey " + key;
        assertThat(f.owner()).isEqualTo("grant " + second.number() + who);
        assertThat(f.ownedSincePs()).isEqualTo(anew);
        assertThat(f.history())
                .containsExactly(
                        "grant " + first.number() + who + " since " + ns(granted) + " until " + ns(anew)
                                + ": returned by the peer",
                        "grant " + second.number() + who + " since " + ns(anew) + ": a peer may write it",
                        "it comes by RDMA_WRITE wr_id=" + id + " of QP 0x" + Integer.toHexString(p.b.qp.qpn()) + " of "
                                + p.b.host.device().name() + " in host1.root.memory, posted at " + ns(posted)
                                + ", before grant " + second.number());
    }

    private static String ns(long ps) {
        return String.format("%d.%03d ns", ps / 1000, ps % 1000);
    }

    @Test
    void writesThatComeInTimeAreLeftAlone() {
        Pair p = pair(QpType.RC);
        Posts posts = new Posts(p.b, p.a);
        Ownership slot = grant(p);
        for (int round = 0; round < 20; round++) {
            posts.begin(WrOpcode.RDMA_WRITE, round % 3 == 0 ? SLOT : 64).flags = 0;
            posts.post();
            posts.post(WrOpcode.RDMA_WRITE, 1 + round * 100);
            written(p);
            runFor(p, round % 2 * 5L * US);
            slot = again(p, slot);
        }
        runFor(p, 100 * US);
        assertThatMemory(p.lab).hasNoLateAccess();
    }

    /** The first has landed, its acknowledgement is lost: it is sent again when the slot is granted anew, and dropped. */
    @Test
    void whatIsSentAgainIsNotTakenForTheNext() {
        Pair p = pair(QpType.RC, nth(new FaultAction.Drop(), Opcode.RC_ACKNOWLEDGE, 1), delayed(4));
        Posts posts = new Posts(p.b, p.a);
        Ownership slot = grant(p);
        posts.post(WrOpcode.RDMA_WRITE, 512);
        runFor(p, 20 * US); // no longer than until it is sent again
        assertThat(p.b.cq.hasCompletion()).isFalse();
        slot = again(p, slot);
        written(p);
        posts.post(WrOpcode.RDMA_WRITE, 512);
        written(p);
        assertThatMemory(p.lab).hasNoLateAccess();
        isLate(p, posts, slot); // frame 4
    }

    @Test
    void aFrameThatComesTwiceIsOneWrite() {
        Pair p = pair(QpType.RC, nth(new FaultAction.Duplicate(), Opcode.RC_RDMA_WRITE_ONLY, 1, 2), delayed(3));
        Posts posts = new Posts(p.b, p.a);
        Ownership slot = grant(p);
        for (int i = 0; i < 2; i++) {
            posts.post(WrOpcode.RDMA_WRITE, 512);
            written(p);
            slot = again(p, slot);
        }
        assertThatMemory(p.lab).hasNoLateAccess();
        isLate(p, posts, slot);
    }

    /** All but the last packet has landed. */
    @Test
    void ofAWriteThatIsCutByAGrantTheRestIsLate() {
        Pair p = pair(QpType.RC, nth(new FaultAction.Drop(), Opcode.RC_RDMA_WRITE_LAST, 1));
        Ownership slot = grant(p);
        new Posts(p.b, p.a).post(WrOpcode.RDMA_WRITE, SLOT);
        runFor(p, 20 * US);
        again(p, slot);
        written(p);
        runFor(p, US);
        MemoryFinding f = assertThatMemory(p.lab).hasOneLateAccess();
        assertThat(f.address()).isEqualTo(p.a.at(SLOT - MTU));
        assertThat(f.length()).isEqualTo(MTU);
    }

    /** Before any grant there was nothing that he could be too late for. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoPostsBeforeAGrantIsLateIfThereWasAnotherBefore(boolean another) {
        Pair p = pair(QpType.RC, delayed(1));
        if (another) {
            owners(p).revoke(grant(p));
        }
        new Posts(p.b, p.a).post(WrOpcode.RDMA_WRITE, 512);
        runFor(p, 10 * US);
        grant(p);
        written(p);
        runFor(p, US);
        if (another) {
            assertThatMemory(p.lab).hasOneLateAccess();
        } else {
            assertThatMemory(p.lab).hasNoLateAccess();
        }
    }

    /** What was lost with a connection is not taken for what the next one brings, at either end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aResetForgetsWhatWasUnderWay(boolean both) {
        Pair p = pair(QpType.RC, nth(new FaultAction.Drop(), Opcode.RC_RDMA_WRITE_ONLY, 1));
        Posts posts = new Posts(p.b, p.a);
        Ownership slot = grant(p);
        posts.post(WrOpcode.RDMA_WRITE, 512);
        runFor(p, 5 * US);
        p.lab.await(p.b.qp.modify(new QpAttributes().state(QpState.RESET)));
        if (both) {
            p.lab.await(p.a.qp.modify(new QpAttributes().state(QpState.RESET)));
            Connections.join(p.lab, p.a.qp, p.b.host.gid(), p.b.qp.qpn(), Pair.PSN_A, Pair.PSN_B, Mtu.MTU_1024);
        }
        Connections.join(p.lab, p.b.qp, p.a.host.gid(), p.a.qp.qpn(), Pair.PSN_B, Pair.PSN_A, Mtu.MTU_1024);
        again(p, slot);
        posts.post(WrOpcode.RDMA_WRITE, 512);
        written(p);
        runFor(p, US);
        assertThatMemory(p.lab).hasNoLateAccess();
    }

    /** An unreliable connection may lose any WRITE, so what lands is not known to be the first. */
    @Test
    void unreliableConnectionsAreNotGuessedAt() {
        Pair p = pair(QpType.UC, nth(new FaultAction.Drop(), Opcode.UC_RDMA_WRITE_ONLY, 1));
        Posts posts = new Posts(p.b, p.a);
        Ownership slot = grant(p);
        posts.begin(WrOpcode.RDMA_WRITE, 512).flags = 0;
        posts.post();
        runFor(p, 5 * US);
        again(p, slot);
        posts.post(WrOpcode.RDMA_WRITE, 512);
        written(p);
        runFor(p, 5 * US);
        assertThatMemory(p.lab).hasNoLateAccess();
    }
}

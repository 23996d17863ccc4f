package dev.clockwire.testkit.nic;

import static dev.clockwire.testkit.nic.MemoryAssert.assertThatMemory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveWorkRequest;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.error.ConfigurationException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Accesses to memory that is somebody else's are found, and no others. */
class LateAccessTest {
    private static final int LENGTH = 8192;
    private static final long US = 1_000_000;

    LabSpec spec() {
        return LabSpec.of(1).withSanitizer(true);
    }

    private Pair pair() {
        return pair(spec());
    }

    private Pair pair(LabSpec how) {
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), how);
        return new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private static List<MemoryFinding> findings(Pair p) {
        return p.lab.sanitizer().findings();
    }

    private static void runFor(Pair p, long ps) {
        p.lab.sim().run(p.lab.sim().now() + ps);
    }

    @Test
    void aProgramThatWaitsForCompletionsIsLeftAlone() {
        Pair p = pair();
        Posts ab = new Posts(p.a, p.b);
        Posts ba = new Posts(p.b, p.a);
        for (int round = 0; round < 5; round++) {
            p.a.write(0, new byte[LENGTH]);
            ba.receive(0, LENGTH);
            ab.post(WrOpcode.SEND, LENGTH);
            assertThat(p.next(p.b).status).isEqualTo(WcStatus.SUCCESS);
            p.b.read(0, LENGTH);
            p.next(p.a);
            ab.post(WrOpcode.RDMA_READ, LENGTH);
            p.next(p.a);
            p.a.read(0, LENGTH);
            ab.post(WrOpcode.RDMA_WRITE, LENGTH);
            p.next(p.a);
            p.b.read(0, LENGTH);
        }
        assertThat(findings(p)).isEmpty();
    }

    @Test
    void writingWhatIsBeingSentIsFound() {
        Pair p = pair();
        new Posts(p.b, p.a).receive(0, LENGTH);
        long id = new Posts(p.a, p.b).post(WrOpcode.SEND, LENGTH);
        p.a.read(0, LENGTH); // allowed
        p.a.write(100, new byte[10]);
        p.next(p.a);
        p.a.write(0, new byte[LENGTH]); // it is the program's again
        MemoryFinding f = only(p);
        assertThat(f.access()).isEqualTo(MemoryFinding.Access.WRITE);
        assertThat(f.toucher()).isEqualTo("the program");
        assertThat(f.module()).isEqualTo("host0.root");
        assertThat(f.address()).isEqualTo(p.a.at(100));
        assertThat(f.length()).isEqualTo(10);
        assertThat(f.place()).startsWith("buffer+100 of ");
        assertThat(f.owner()).startsWith("SEND wr_id=" + id + " of QP 0x" + Integer.toHexString(p.a.qp.qpn()));
        assertThat(f.history()).hasSize(1).first().asString().contains("the device reads it");
    }

    @Test
    void readingAReceiveBufferTooEarlyIsFound() {
        Pair p = pair();
        long id = new Posts(p.b, p.a).receive(0, LENGTH);
        new Posts(p.a, p.b).post(WrOpcode.SEND, LENGTH);
        p.b.read(0, 8);
        p.next(p.b);
        p.b.read(0, LENGTH);
        MemoryFinding f = only(p);
        assertThat(f.access()).isEqualTo(MemoryFinding.Access.READ);
        assertThat(f.owner()).startsWith("RECV wr_id=" + id);
        assertThat(f.module()).isEqualTo("host1.root");
    }

    @Test
    void unsignalledSendsEndWithTheNextCompletion() {
        Pair p = pair();
        Posts ab = new Posts(p.a, p.b);
        ab.begin(WrOpcode.RDMA_WRITE, 64).flags = 0;
        ab.post();
        var second = ab.begin(WrOpcode.RDMA_WRITE, 64);
        second.sges().clear();
        second.sges().add(p.a.at(4096), 64, p.a.mr.lkey());
        second.remoteAddress = p.b.at(4096);
        ab.post();
        runFor(p, 100 * US); // both have ended, but the program does not know
        p.a.write(0, new byte[1]);
        assertThat(findings(p)).hasSize(1);
        p.next(p.a);
        p.a.write(0, new byte[64]);
        p.a.write(4096, new byte[64]);
        assertThat(findings(p)).hasSize(1);
    }

    @Test
    void aReadsBufferBelongsToTheDevice() {
        Pair p = pair();
        new Posts(p.a, p.b).post(WrOpcode.RDMA_READ, LENGTH);
        p.a.read(LENGTH - 1, 2);
        p.next(p.a);
        assertThat(only(p).length()).isEqualTo(1);
    }

    @Test
    void flushedWorkIsTheProgramsAgain() {
        Pair p = pair();
        Posts ba = new Posts(p.b, p.a);
        ba.receive(0, LENGTH);
        ba.receive(LENGTH, LENGTH);
        p.lab.await(p.b.qp.modify(new QpAttributes().state(QpState.ERR)));
        assertThat(p.next(p.b).status).isEqualTo(WcStatus.WR_FLUSH_ERR);
        p.b.write(0, new byte[LENGTH]);
        assertThat(findings(p)).isEmpty();
        p.b.write(LENGTH, new byte[1]);
        assertThat(findings(p)).hasSize(1);
        p.next(p.b);
        p.b.write(LENGTH, new byte[LENGTH]);
        assertThat(findings(p)).hasSize(1);
    }

    @Test
    void aResetQueueOwnsNothing() {
        Pair p = pair();
        new Posts(p.b, p.a).receive(0, LENGTH);
        p.lab.await(p.b.qp.modify(new QpAttributes().state(QpState.RESET)));
        p.b.write(0, new byte[LENGTH]);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, LENGTH);
        runFor(p, 10 * US);
        assertThat(findings(p)).isEmpty();
    }

    private MemorySanitizer ofA(Pair p) {
        return p.a.host.sanitizer();
    }

    /** The client grants a buffer for an RPC, times out, takes it back and uses it; the server's WRITE comes late. */
    @Test
    void aWriteBehindATimeoutIsFound() {
        Pair p = pair();
        Grantee server =
                Grantee.of("server").withQp(p.a.qp.qpn()).withKey(p.a.mr.rkey()).withAttempt(12);
        Ownership grant = ofA(p).grant(p.a.at(0), LENGTH, Hold.PEER_WRITES, server);
        new Posts(p.b, p.a).post(WrOpcode.RDMA_WRITE, LENGTH);
        ofA(p).revoke(grant); // timed out: nothing keeps the server from it
        long revoked = p.lab.sim().now();
        p.a.write(0, new byte[LENGTH]);
        p.next(p.b);
        runFor(p, US);
        MemoryFinding f = only(p);
        assertThat(f.access()).isEqualTo(MemoryFinding.Access.WRITE);
        assertThat(f.length()).as("all packets are one finding").isEqualTo(LENGTH);
        assertThat(f.toucher())
                .contains("peer of QP 0x" + Integer.toHexString(p.a.qp.qpn()))
                .contains("rkey 0x" + Integer.toHexString(p.a.mr.rkey()));
        assertThat(f.module()).isEqualTo("host0.nic");
        assertThat(f.owner()).isEqualTo("the program");
        assertThat(f.ownedSincePs()).isEqualTo(revoked);
        assertThat(f.ps()).isGreaterThan(revoked);
        assertThat(f.history()).hasSize(1);
        assertThat(f.history().get(0)).contains("server, attempt 12").contains("revoked by the program");
    }

    @Test
    void aReadBehindATimeoutIsFound() {
        Pair p = pair();
        Ownership grant = ofA(p).grant(p.a.at(0), LENGTH, Hold.PEER_READS, Grantee.of("server"));
        new Posts(p.b, p.a).post(WrOpcode.RDMA_READ, LENGTH);
        ofA(p).revoke(grant);
        p.next(p.b);
        MemoryFinding f = only(p);
        assertThat(f.access()).isEqualTo(MemoryFinding.Access.READ);
        assertThat(f.toucher()).startsWith("the peer of QP");
    }

    private static FaultRule lateWrite() {
        return FaultRule.of(new FaultAction.Delay(), new FaultTrigger.Frames(List.of(1L)))
                .where(token -> token instanceof RocePacket r && r.opcode == Opcode.RC_RDMA_WRITE_ONLY.code())
                .lasting(30 * US);
    }

    @Test
    void aDelayedFrameIsFoundWhereverItCameFrom() {
        Pair p = pair(spec().withFaults(FaultPlan.of(lateWrite())));
        Grantee server = Grantee.of("server").withKey(p.a.mr.rkey());
        Ownership grant = ofA(p).grant(p.a.at(0), 512, Hold.PEER_WRITES, server);
        new Posts(p.b, p.a).post(WrOpcode.RDMA_WRITE, 512);
        runFor(p, 10 * US);
        assertThat(findings(p)).isEmpty();
        ofA(p).revoke(grant);
        ofA(p).grant(p.a.at(0), 512, Hold.PEER_WRITES, Grantee.of("another").withQp(0x777));
        runFor(p, 60 * US);
        MemoryFinding f = only(p);
        assertThat(f.owner()).contains("another, by QP 0x777");
        assertThat(f.history()).hasSize(3).last().asString().startsWith("it comes by RDMA_WRITE wr_id=1 of QP");
    }

    @Test
    void behindAFenceNothingComes() {
        Pair p = pair();
        Grantee server = Grantee.of("server").withQp(p.a.qp.qpn());
        Ownership grant = ofA(p).grant(p.a.at(0), LENGTH, Hold.PEER_WRITES, server);
        new Posts(p.b, p.a).post(WrOpcode.RDMA_WRITE, LENGTH);
        new Posts(p.a, p.b).receive(LENGTH, 1);
        p.lab.await(p.a.qp.modify(new QpAttributes().state(QpState.ERR)));
        assertThat(grant.isOpen()).as("in ERR, not drained").isTrue();
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.WR_FLUSH_ERR);
        assertThat(grant.isOpen()).as("the last completion").isFalse();
        p.a.write(0, new byte[LENGTH]);
        runFor(p, 100 * US);
        assertThat(findings(p)).isEmpty();
    }

    @Test
    void aKeyThatIsGoneIsAFence() {
        Pair p = pair(spec().withFaults(FaultPlan.of(lateWrite())));
        Grantee server = Grantee.of("server").withKey(p.a.mr.rkey());
        Ownership grant = ofA(p).grant(p.a.at(0), 512, Hold.PEER_WRITES, server);
        new Posts(p.b, p.a).post(WrOpcode.RDMA_WRITE, 512);
        p.lab.await(p.a.mr.dereg());
        assertThat(grant.isOpen()).isFalse();
        p.a.write(0, new byte[LENGTH]);
        runFor(p, 100 * US);
        assertThat(findings(p)).isEmpty();
    }

    @Test
    void theProgramKeepsOffWhatItGranted() {
        Pair p = pair();
        Ownership slot = ofA(p).grant(p.a.at(0), 64, Hold.PEER_WRITES, Grantee.of("client"));
        Ownership polled = ofA(p).grant(p.a.at(64), 64, Hold.PEER_WRITES_POLLED, Grantee.of("client"));
        ofA(p).grant(p.a.at(128), 64, Hold.PEER_READS, Grantee.of("client"));
        p.a.read(64, 128);
        assertThat(findings(p)).isEmpty();
        p.a.read(63, 1);
        p.a.write(64, new byte[1]);
        p.a.write(191, new byte[2]);
        assertThat(findings(p)).hasSize(3);
        ofA(p).returned(slot);
        ofA(p).returned(polled);
        p.a.write(0, new byte[128]);
        assertThat(findings(p)).hasSize(3);
        p.a.host.host().memory().free(p.a.buffer);
        assertThat(findings(p)).hasSize(4);
        assertThat(findings(p).get(3).access()).isEqualTo(MemoryFinding.Access.FREE);
    }

    /** Late bursts of reads and writes are served together unless the kernel is exhaustive: what is found is the same. */
    @Test
    void theKernelModeChangesNoFinding() {
        List<List<MemoryFinding>> found = new ArrayList<>();
        for (KernelMode mode : KernelMode.values()) {
            Pair p = pair(spec().withMode(mode));
            for (Hold hold : List.of(Hold.PEER_WRITES, Hold.PEER_READS)) {
                ofA(p).revoke(ofA(p).grant(p.a.at(0), LENGTH, hold, Grantee.of("server")));
                new Posts(p.b, p.a).post(hold == Hold.PEER_READS ? WrOpcode.RDMA_READ : WrOpcode.RDMA_WRITE, LENGTH);
                p.next(p.b);
            }
            runFor(p, US);
            found.add(findings(p));
        }
        assertThat(found.get(0)).hasSize(2);
        assertThat(Set.copyOf(found)).hasSize(1);
    }

    /** Receives of a shared queue belong to the device, whichever queue pair takes them, and end one by one. */
    @Test
    void sharedReceivesEndInTheOrderOfTheirUse() {
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), spec());
        Pair own = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        var srq = lab.await(own.b.pd.createSrq(new SrqAttributes(4, 1, 0)));
        QueuePair[] takers = new QueuePair[2];
        QueuePair[] senders = new QueuePair[2];
        for (int i = 0; i < 2; i++) {
            QpCapabilities size = new QpCapabilities(4, 4, 1, 1, 0);
            senders[i] = lab.await(own.a.pd.createQp(QpInit.of(QpType.RC, own.a.cq, size)));
            takers[i] = lab.await(
                    own.b.pd.createQp(QpInit.of(QpType.RC, own.b.cq, size).withSrq(srq)));
            Connections.join(lab, senders[i], own.b.host.gid(), takers[i].qpn(), 1, 1, Mtu.MTU_1024);
            Connections.join(lab, takers[i], own.a.host.gid(), senders[i].qpn(), 1, 1, Mtu.MTU_1024);
            srq.postReceive(
                    ReceiveWorkRequest.into(40 + i, new ScatterGather(own.b.at(i * 4096), 4096, own.b.mr.lkey())));
        }
        senders[1].postSend(SendWorkRequest.send(1, new ScatterGather(own.a.at(0), 100, own.a.mr.lkey()))
                .withFlags(SendFlag.SIGNALED));
        assertThat(own.next(own.b).wrId).isEqualTo(40);
        own.b.read(0, 4096);
        assertThat(findings(own)).isEmpty();
        own.b.read(4096, 1);
        assertThat(only(own).owner()).startsWith("RECV wr_id=41 of SRQ 0x");
        lab.await(takers[0].destroy());
        lab.await(takers[1].destroy());
        own.b.read(4096, 1);
        assertThat(lab.sanitizer().count()).isEqualTo(2);
        lab.await(srq.destroy());
        own.b.write(4096, new byte[4096]);
        assertThat(lab.sanitizer().count()).isEqualTo(2);
    }

    @Test
    void aLabWithoutASanitizerSaysHowToGetOne() {
        Pair p = pair(spec().withSanitizer(false));
        assertThatThrownBy(() -> assertThatMemory(p.lab))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("withSanitizer(true)");
    }

    @Test
    void findingsStopTheSimulationOnRequest() {
        Pair p = pair();
        p.lab.sanitizer().throwFindings();
        ofA(p).revoke(ofA(p).grant(p.a.at(0), LENGTH, Hold.PEER_WRITES, Grantee.of("server")));
        new Posts(p.b, p.a).post(WrOpcode.RDMA_WRITE, LENGTH);
        assertThatThrownBy(() -> p.next(p.b))
                .hasStackTraceContaining("ProtocolViolation")
                .hasStackTraceContaining("the peer of QP");
        assertThatThrownBy(() -> assertThatMemory(p.lab).hasNoLateAccess())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("found 1\n  [");
    }

    private static MemoryFinding only(Pair p) {
        return assertThatMemory(p.lab).hasOneLateAccess();
    }
}

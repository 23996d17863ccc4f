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
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of other RDMA stacks, reported in public, with single messages, on both devices; docs/transport.md lists them all. */
class PublicMessageFaultsTest {
    private static final int PAGE = 4096;
    private static final long SETTLE_PS = 50_000_000;

    private static Pair pair(ConnectionRig.Provider provider, QpType type) {
        return pair(provider, type, Profiles.named("cx7-400g"));
    }

    private static Pair pair(ConnectionRig.Provider provider, QpType type, Profile profile) {
        LabSpec spec = LabSpec.of(1).withSoft(provider == ConnectionRig.Provider.SOFTWARE ? SoftSpec.usual() : null);
        return new Pair(Lab.twoHosts(profile, spec), type, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private static byte[] pattern(int length) {
        byte[] data = new byte[length];
        new Random(length).nextBytes(data);
        return data;
    }

    private static void settle(Pair p) {
        p.lab.sim().run(p.lab.sim().now() + SETTLE_PS);
    }

    private static SendEntry datagram(Pair p, Posts a, Gid to, int length) {
        SendEntry e = a.begin(WrOpcode.SEND, length);
        e.ah = p.lab.await(p.a.pd.createAh(AddressVector.to(to)));
        e.remoteQpn = p.b.qp.qpn();
        e.remoteQkey = Connections.QKEY;
        return e;
    }

    /** Public fault 4, linux-rdma/rdma-core pull request 1268: a READ of nothing broke the responder. */
    @ParameterizedTest
    @EnumSource
    void aReadOfNothingIsAnsweredWithNothing(ConnectionRig.Provider provider) {
        Pair p = pair(provider, QpType.RC);
        Lossy line = new Lossy(p.lab);
        Posts a = new Posts(p.a, p.b);
        SendEntry e = a.begin(WrOpcode.RDMA_READ, 0);
        e.rkey = 0;
        e.remoteAddress = 0;
        a.post();
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        assertThat(line.sent(Opcode.RC_RDMA_READ_RESPONSE_ONLY)).hasSize(1);
        assertThat(a.post(WrOpcode.RDMA_WRITE, 100)).isPositive();
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
    }

    /** Public fault 5, linux-rdma/rdma-core pull requests 246 and 247: nothing took no PSN instead of one. */
    @ParameterizedTest
    @EnumSource
    void nothingTakesOnePsnOnTheLine(ConnectionRig.Provider provider) {
        Pair p = pair(provider, QpType.RC);
        Lossy line = new Lossy(p.lab);
        Posts a = new Posts(p.a, p.b);
        Posts b = new Posts(p.b, p.a);
        b.receive(0, 100);
        b.receive(0, 100);
        a.post(WrOpcode.SEND, 0);
        a.post(WrOpcode.SEND, 8);
        a.post(WrOpcode.RDMA_READ, 0);
        a.post(WrOpcode.RDMA_READ, 8);
        for (int i = 0; i < 4; i++) {
            assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        }
        assertThat(p.next(p.b).byteLength).isZero();
        assertThat(p.next(p.b).byteLength).isEqualTo(8);
        assertThat(line.frames.stream().filter(f -> !f.opcode.isResponse()))
                .extracting(f -> f.psn - Pair.PSN_A)
                .containsExactly(0, 1, 2, 3);
    }

    /** Public fault 11, SoftRoCE/rxe-dev issue 27: lengths and route header of received datagrams were left unset. */
    @ParameterizedTest
    @EnumSource
    void aDatagramTellsItsLengthWithTheRouteHeader(ConnectionRig.Provider provider) {
        Pair p = pair(provider, QpType.UD);
        byte[] data = pattern(256);
        p.a.write(0, data);
        new Posts(p.b, p.a).receive(0, 2048);
        Posts a = new Posts(p.a, p.b);
        datagram(p, a, p.b.host.gid(), 256);
        a.post();
        assertThat(p.next(p.b).byteLength).isEqualTo(40 + 256);
        assertThat(p.b.read(20, 1)[0]).as("an IPv4 header").isEqualTo((byte) 0x45);
        assertThat(p.b.read(40, 256)).isEqualTo(data);
    }

    /** Public fault 13, SoftRoCE/rxe-dev issue 76: writes above one MTU failed. */
    @ParameterizedTest
    @CsvSource({"HARDWARE, 1024, 1", "HARDWARE, 1025, 2", "SOFTWARE, 1024, 1", "SOFTWARE, 1025, 2"})
    void aByteMoreThanTheMtuIsASecondPacket(ConnectionRig.Provider provider, int length, int packets) {
        Pair p = pair(provider, QpType.RC);
        Lossy line = new Lossy(p.lab);
        byte[] data = pattern(length);
        p.a.write(0, data);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, length);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        settle(p);
        assertThat(p.b.read(0, length)).isEqualTo(data);
        assertThat(p.b.read(length, 4)).isEqualTo(new byte[4]);
        assertThat(line.sent(Opcode.RC_RDMA_WRITE_ONLY)).hasSize(2 - packets);
        assertThat(line.sent(Opcode.RC_RDMA_WRITE_FIRST)).hasSize(packets - 1);
        assertThat(line.sent(Opcode.RC_RDMA_WRITE_LAST)).hasSize(packets - 1);
    }

    /** Public fault 14, SoftRoCE/rxe-dev issue 22: the address handle of a work request was lost, the destination was MAC 0. */
    @ParameterizedTest
    @EnumSource
    void eachDatagramGoesWhereItsOwnHandleSays(ConnectionRig.Provider provider) {
        Pair p = pair(provider, QpType.UD);
        List<Long> macs = new ArrayList<>();
        List<Long> addresses = new ArrayList<>();
        p.lab.tapFrames((ps, end, frame) -> {
            if (frame instanceof RocePacket packet) {
                macs.add(packet.flow.dstMac);
                addresses.add(packet.flow.dstLo);
            }
        });
        Posts b = new Posts(p.b, p.a);
        b.receive(0, 2048);
        b.receive(2048, 2048);
        Posts a = new Posts(p.a, p.b);
        datagram(p, a, p.a.host.gid(), 10);
        a.post();
        datagram(p, a, p.b.host.gid(), 20);
        a.post();
        datagram(p, a, p.b.host.gid6(), 30);
        a.post();
        assertThat(p.next(p.b).byteLength).isEqualTo(60);
        assertThat(p.next(p.b).byteLength).isEqualTo(70);
        assertThat(addresses)
                .containsExactly(
                        p.a.host.gid().lo(),
                        p.b.host.gid().lo(),
                        p.b.host.gid6().lo());
        assertThat(macs).doesNotContain(0L);
        assertThat(macs.get(1)).isEqualTo(macs.get(2)).isNotEqualTo(macs.get(0));
    }

    /** Public fault 17, fpgasystems/Coyote pull request 86 and issue 71: the buffer of repetitions stalled above 4 to 8 KB. */
    @ParameterizedTest
    @CsvSource({
        "HARDWARE, 4096", "HARDWARE, 8192", "HARDWARE, 8193", "HARDWARE, 65536",
        "SOFTWARE, 4096", "SOFTWARE, 8192", "SOFTWARE, 8193", "SOFTWARE, 65536"
    })
    void messagesOfManyPacketsPassSlowMemory(ConnectionRig.Provider provider, int length) {
        Profile slow = Profiles.named("cx7-400g")
                .with("host.payload_read_ns", "5000")
                .with("nic.dma.payload_outstanding_reads", "1")
                .with("nic.dma.buffer_packets", "1");
        Pair p = pair(provider, QpType.RC, slow);
        byte[] data = pattern(length);
        p.a.write(0, data);
        Lossy line = new Lossy(p.lab);
        line.lose(1, packet -> packet.opcode == Opcode.RC_RDMA_WRITE_MIDDLE.code());
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, length);
        assertThat(p.next(p.a, 100_000_000_000L).status).isEqualTo(WcStatus.SUCCESS);
        settle(p);
        assertThat(p.b.read(0, length)).isEqualTo(data);
    }

    /**
     * Public fault 19, fpgasystems/Coyote pull request 191: translation took addresses inside a huge page for contiguous. Registered
     * memory of ours is contiguous by definition; what is tried is that an edge between pages is none for a message.
     */
    @ParameterizedTest
    @EnumSource
    void aMessageAcrossAPageEdgeLandsWhole(ConnectionRig.Provider provider) {
        Pair p = pair(provider, QpType.RC);
        byte[] data = pattern(100);
        p.a.write(0, data);
        Posts a = new Posts(p.a, p.b);
        for (int edge = PAGE; edge < 1 << 20; edge += 5 * PAGE) {
            a.begin(WrOpcode.RDMA_WRITE, 100).remoteAddress = p.b.at(edge - 50);
            a.post();
            assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
            settle(p);
            assertThat(p.b.read(edge - 50, 100)).isEqualTo(data);
            assertThat(p.b.read(edge + 50, 50)).isEqualTo(new byte[50]);
        }
    }

    /** Source observation d, Linux since 689c5421bfe0: a SEND that was too long got NAK 0x63 instead of 0x61. */
    @ParameterizedTest
    @EnumSource
    void aSendThatIsTooLongIsAnInvalidRequest(ConnectionRig.Provider provider) {
        Pair p = pair(provider, QpType.RC);
        Lossy line = new Lossy(p.lab);
        new Posts(p.b, p.a).receive(0, 64);
        new Posts(p.a, p.b).post(WrOpcode.SEND, 65);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.REM_INV_REQ_ERR);
        assertThat(p.next(p.b).status).isEqualTo(WcStatus.LOC_LEN_ERR);
        assertThat(line.sent(Opcode.RC_ACKNOWLEDGE))
                .extracting(f -> f.syndrome)
                .containsExactly(Syndrome.NAK_INVALID_REQUEST);
    }

    /** Source observation d, Linux until f67ac0061c76: a datagram that was too long sent its queue pair to ERR. */
    @ParameterizedTest
    @EnumSource
    void aDatagramThatIsTooLongIsDroppedAndNothingElse(ConnectionRig.Provider provider) {
        Pair p = pair(provider, QpType.UD);
        new Posts(p.b, p.a).receive(0, 40 + 64);
        Posts a = new Posts(p.a, p.b);
        datagram(p, a, p.b.host.gid(), 65);
        a.post();
        assertThat(p.next(p.a).status).as("the sender cannot know").isEqualTo(WcStatus.SUCCESS);
        settle(p);
        assertThat(p.b.qp.state()).isEqualTo(QpState.RTS);
        assertThat(p.b.cq.hasCompletion()).isFalse();
        datagram(p, a, p.b.host.gid(), 64);
        a.post();
        WorkCompletion wc = p.next(p.b);
        assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
        assertThat(wc.byteLength).isEqualTo(40 + 64);
    }

    /** Public fault 22, alibaba-edu/High-Precision-Congestion-Control issues 65 and 59: the interval of ACKs was not kept. */
    @Test
    void aHundredPacketsGetFiveAcknowledgements() {
        LabSpec spec = LabSpec.of(1).withSoft(SoftSpec.usual().withAckInterval(20));
        Pair p =
                new Pair(Lab.twoHosts(Profiles.named("cx7-400g"), spec), QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        Lossy line = new Lossy(p.lab);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 100 * 1024);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        assertThat(line.sent(Opcode.RC_ACKNOWLEDGE)).hasSize(5);
    }
}

package dev.clockwire.testkit.nic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.SoloLab;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A NIC whose peer is the test: packets by hand go in, its answers come out. */
class SoloLabTest {
    private static final int PEER_QPN = 0x4711;
    private static final int PSN = 0xFFFFFF;
    private static final PortAddress ADDRESS = new PortAddress(0x0200_0000_0002L, 0x0A00_0002, 0, 2);
    private static final Gid PEER = Gid.ofIpv4(0x0A00_0001);

    /** Keeps what the NIC sends. */
    private static final class Hand extends SimNode {
        final List<RocePacket> got = new ArrayList<>();

        Hand(Scope root, LinkEnd end) {
            super(root, "hand");
            end.attach(new EventPort(this, "line") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    if (token instanceof RocePacket packet) {
                        RocePacket copy = new RocePacket();
                        copy.set(packet);
                        got.add(copy);
                    }
                }
            });
        }
    }

    @Test
    void answersAWriteThatTheTestSends() {
        List<Hand> hands = new ArrayList<>();
        SoloLab lab = SoloLab.of(
                Profiles.named("cx7-400g"), LabSpec.of(1), ADDRESS, (root, end) -> hands.add(new Hand(root, end)));
        lab.neighbours().add(PEER, 0x0200_0000_0001L);
        ProtectionDomain pd = lab.await(lab.host().context().allocPd());
        Allocation memory = lab.host().host().memory().allocate("memory", 4096, Allocation.Kind.REAL, 4096);
        EnumSet<AccessFlag> rights = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        MemoryRegion region = lab.await(pd.regMr(memory.address(), 4096, rights));
        CompletionQueue cq = lab.await(lab.host().context().createCq(4));
        QueuePair qp = lab.await(pd.createQp(QpInit.of(QpType.RC, cq, new QpCapabilities(1, 1, 1, 1, 0))));
        lab.await(qp.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .port(1)
                .access(EnumSet.of(AccessFlag.REMOTE_WRITE))));
        lab.await(qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(PEER))
                .pathMtu(Mtu.ofBytes(1024))
                .destQpn(PEER_QPN)
                .rqPsn(PSN)
                .maxDestRdAtomic(1)
                .minRnrTimer(12)));

        RocePacket write = new RocePacket();
        write.flow.setIpv4(0x0A00_0001, 0x0A00_0002);
        write.opcode = Opcode.RC_RDMA_WRITE_ONLY.code();
        write.destQp = qp.qpn();
        write.psn = PSN;
        write.ackReq = true;
        write.va = memory.address() + 100;
        write.rkey = region.rkey();
        write.dmaLen = 3;
        write.setPayloadLength(3);
        write.payload.appendBytes(new byte[] {1, 2, 3}, 0, 3);
        lab.link().b().transmit(lab.sim().now(), write);
        lab.sim().run(lab.sim().now() + 100_000_000);

        List<RocePacket> answers = hands.get(0).got;
        assertEquals(1, answers.size());
        assertEquals(Opcode.RC_ACKNOWLEDGE.code(), answers.get(0).opcode);
        assertEquals(PEER_QPN, answers.get(0).destQp);
        assertEquals(PSN, answers.get(0).psn);
        assertEquals(1, answers.get(0).msn);
        byte[] there = new byte[5];
        lab.host().host().memory().getBytes(memory.address() + 99, there, 0, 5);
        assertArrayEquals(new byte[] {0, 1, 2, 3, 0}, there);
    }
}

package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.SoloLab;
import dev.clockwire.nic.profile.Profile;
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
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.PauseFrame;
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

/** The other end of a device's line, in the hands of a test: it sees each frame with the time of its first bit, and sends pauses and packets. */
final class PortPeer {
    static final int PEER_QPN = 0x4711;
    private static final int BUFFER = 1 << 16;
    private static final PortAddress ADDRESS = new PortAddress(0x0200_0000_0002L, 0x0A00_0002, 0, 2);
    private static final Gid PEER = Gid.ofIpv4(0x0A00_0001);
    private static final EnumSet<AccessFlag> RIGHTS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

    /** A frame that the device has sent, and when its first bit was at the peer. */
    record Seen(
            long ps, @Nullable RocePacket packet, @Nullable PauseFrame pause) {}

    final SoloLab lab;
    final List<Seen> seen = new ArrayList<>();
    private final List<Hand> hands = new ArrayList<>();
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final MemoryRegion region;

    private final class Hand extends SimNode {
        private final LinkEnd end;
        private final EventPort sender;

        Hand(Scope root, LinkEnd end) {
            super(root, "hand");
            this.end = end;
            end.attach(new EventPort(this, "line") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    if (token instanceof RocePacket packet) {
                        RocePacket copy = new RocePacket();
                        copy.set(packet);
                        seen.add(new Seen(a, copy, null));
                    } else if (token instanceof PauseFrame frame) {
                        seen.add(new Seen(a, null, frame));
                    }
                }
            });
            sender = new EventPort(this, "sender") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    if (token instanceof RocePacket packet) {
                        Hand.this.end.transmit(now(), packet);
                    } else if (token instanceof PauseFrame frame) {
                        Hand.this.end.transmit(now(), frame, 84, 0);
                    }
                }
            };
        }
    }

    PortPeer(Profile profile, LabSpec spec) {
        lab = SoloLab.of(profile, spec, ADDRESS, (root, end) -> hands.add(new Hand(root, end)));
        lab.neighbours().add(PEER, 0x0200_0000_0001L);
        pd = lab.await(lab.host().context().allocPd());
        Allocation memory = lab.host().host().memory().allocate("memory", BUFFER, Allocation.Kind.BULK, 4096);
        cq = lab.await(lab.host().context().createCq(1024));
        region = lab.await(pd.regMr(memory.address(), BUFFER, RIGHTS));
    }

    /** Returns an unreliable connection with the peer: nobody has to answer what it sends. */
    QueuePair connect(int dscp) {
        QueuePair qp = lab.await(pd.createQp(QpInit.of(QpType.UC, cq, new QpCapabilities(256, 1, 1, 1, 0))));
        lab.await(qp.modify(
                new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).access(RIGHTS)));
        lab.await(qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(PEER).withTrafficClass(dscp << 2))
                .pathMtu(Mtu.MTU_1024)
                .destQpn(PEER_QPN + dscp)
                .rqPsn(0)));
        lab.await(qp.modify(new QpAttributes().state(QpState.RTS).sqPsn(0)));
        return qp;
    }

    /** Posts messages of 64 KiB. */
    void post(QueuePair qp, int messages) {
        for (int i = 0; i < messages; i++) {
            ScatterGather from = new ScatterGather(region.address(), BUFFER, region.lkey());
            qp.postSend(SendWorkRequest.write(i, 0x1000, 1, from));
        }
    }

    void pauseAt(long ps, PauseFrame frame) {
        hands.get(0).sender.send(ps, 0, 0, 0, frame);
    }

    static PauseFrame pause(int priority, int quanta) {
        PauseFrame frame = new PauseFrame();
        frame.set(priority, quanta);
        return frame;
    }

    /** Sends a WRITE of so many bytes to a queue pair. */
    void writeAt(long ps, QueuePair to, int psn, int dscp, int ecn, int bytes) {
        RocePacket p = new RocePacket();
        p.flow.setIpv4(0x0A00_0001, 0x0A00_0002);
        p.flow.srcMac = 0x0200_0000_0001L;
        p.flow.dstMac = ADDRESS.mac();
        p.flow.dscp = dscp;
        p.flow.ecn = ecn;
        p.opcode = Opcode.UC_RDMA_WRITE_ONLY.code();
        p.destQp = to.qpn();
        p.psn = psn & 0xFF_FFFF;
        p.va = region.address();
        p.rkey = region.rkey();
        p.dmaLen = bytes;
        p.setPayloadLength(bytes);
        p.payload.appendZeros(bytes);
        hands.get(0).sender.send(ps, 0, 0, 0, p);
    }

    List<Seen> packets(int dscp) {
        return seen.stream()
                .filter(s -> s.packet != null && s.packet.flow.dscp == dscp)
                .toList();
    }

    List<Seen> pauses() {
        return seen.stream().filter(s -> s.pause != null).toList();
    }

    long now() {
        return lab.sim().now();
    }

    void run(long ps) {
        lab.sim().run(lab.sim().now() + ps);
    }
}

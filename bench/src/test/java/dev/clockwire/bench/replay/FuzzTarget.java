package dev.clockwire.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.SoloLab;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.Psn;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.Syndrome;
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
import dev.clockwire.roce.verbs.ReceiveWorkRequest;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A host with a queue pair of each service and a region between two guard pages; its peer is the test. */
final class FuzzTarget {
    static final int QKEY = 0x1EE7;

    private static final int PAGE = 8192;
    private static final int RECEIVES = 16;
    private static final int QUIET = 8;
    private static final int PEER_QPN = 0x4711;
    private static final int CLIENT = 0x0A00_0001;
    private static final int SERVER = 0x0A00_0002;
    private static final long PACKET_PS = 2_000_000;
    private static final Set<AccessFlag> RIGHTS = EnumSet.of(
            AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    private final List<FarEnd> peers = new ArrayList<>();
    private final SoloLab lab;
    private final Allocation guarded;
    private final MemoryRegion region;
    private final CompletionQueue cq;
    private final Map<QpType, QueuePair> qps = new EnumMap<>(QpType.class);
    private final Map<QpType, Integer> psns = new EnumMap<>(QpType.class);
    private final FlowAddress flow = new FlowAddress();
    private final WorkCompletion[] polled = WorkCompletion.array(64);
    private final byte[] before;
    private int granted;
    /** Packets that seemed to be the next one since the last answer. */
    private int unanswered;

    private int refusals;

    FuzzTarget(@Nullable SoftSpec soft) {
        lab = SoloLab.of(
                Profiles.named("cx7-400g"),
                LabSpec.of(1).withSoft(soft),
                new PortAddress(0x0200_0000_0002L, SERVER, 0, 2),
                (root, end) -> peers.add(new FarEnd(root, end)));
        lab.neighbours().add(Gid.ofIpv4(CLIENT), 0x0200_0000_0001L);
        flow.setIpv4(CLIENT, SERVER);
        ProtectionDomain pd = lab.await(lab.host().context().allocPd());
        guarded = lab.host().host().memory().allocate("guarded", 3 * PAGE, Allocation.Kind.REAL, PAGE);
        for (int i = 0; i < 3 * PAGE; i++) {
            lab.host().host().memory().putByte(guarded.address() + i, (byte) (i * 31));
        }
        before = content();
        region = lab.await(pd.regMr(guarded.address() + PAGE, PAGE, RIGHTS));
        cq = lab.await(lab.host().context().createCq(4096));
        for (QpType type : QpType.values()) {
            qps.put(type, lab.await(pd.createQp(QpInit.of(type, cq, new QpCapabilities(1, RECEIVES, 1, 1, 0)))));
        }
        reconnect(0);
    }

    private byte[] content() {
        byte[] all = new byte[3 * PAGE];
        lab.host().host().memory().getBytes(guarded.address(), all, 0, all.length);
        return all;
    }

    /** Connects all queue pairs anew. */
    void reconnect(int psn) {
        unanswered = 0;
        for (QueuePair qp : qps.values()) {
            lab.await(qp.modify(new QpAttributes().state(QpState.RESET)));
            QpAttributes init =
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1);
            QpAttributes rtr = new QpAttributes().state(QpState.RTR);
            if (qp.type() == QpType.UD) {
                lab.await(qp.modify(init.qkey(QKEY)));
            } else {
                lab.await(qp.modify(init.access(
                        EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC))));
                rtr.addressVector(AddressVector.to(Gid.ofIpv4(CLIENT)))
                        .pathMtu(Mtu.MTU_1024)
                        .destQpn(PEER_QPN)
                        .rqPsn(psn);
            }
            lab.await(qp.modify(qp.type() == QpType.RC ? rtr.maxDestRdAtomic(4).minRnrTimer(1) : rtr));
            QpAttributes rts = new QpAttributes().state(QpState.RTS).sqPsn(psn);
            lab.await(qp.modify(
                    qp.type() == QpType.RC
                            ? rts.timeout(14).retryCount(7).rnrRetry(7).maxRdAtomic(4)
                            : rts));
            psns.put(qp.type(), psn);
            for (int i = 0; i < RECEIVES; i++) {
                receive(qp, i);
            }
        }
    }

    private void receive(QueuePair qp, long i) {
        qp.postReceive(new ReceiveWorkRequest(i, List.of(ScatterGather.of(region, i * 256, 4096))));
    }

    FlowAddress flow() {
        return flow;
    }

    int key() {
        return region.rkey();
    }

    long address() {
        return region.address();
    }

    QpType typeOf(int opcode) {
        for (QpType type : QpType.values()) {
            if (opcode >> 5 == type.service().bits()) {
                return type;
            }
        }
        return QpType.RC;
    }

    int qpn(QpType type) {
        return Objects.requireNonNull(qps.get(type)).qpn();
    }

    int expectedPsn(QpType type) {
        return Objects.requireNonNull(psns.get(type));
    }

    /** Whether nothing more can come of the connections: one failed, or has refused a packet that never comes. */
    boolean failed() {
        return unanswered > QUIET || qps.values().stream().anyMatch(qp -> qp.state() == QpState.ERR);
    }

    /** Lets a packet arrive, and posts anew the receives that it took. */
    void feed(RocePacket from) {
        RocePacket in = new RocePacket();
        in.set(from);
        lab.link().b().transmit(lab.sim().now() + 1, in);
        lab.sim().run(lab.sim().now() + PACKET_PS);
        QpType type = typeOf(from.opcode);
        Opcode opcode = Opcode.find(from.opcode);
        if (from.psn == Objects.requireNonNull(psns.get(type)) && opcode != null && opcode.isRequest() && from.icrcOk) {
            boolean read = opcode == Opcode.RC_RDMA_READ_REQUEST;
            psns.put(type, Psn.plus(from.psn, read ? Psn.count(from.dmaLen, 1024) : 1));
            unanswered += type == QpType.RC ? 1 : 0;
        }
        peers.get(0).take().forEach(this::hear);
        for (int n = cq.poll(polled); n > 0; n--) {
            for (QueuePair qp : qps.values()) {
                if (qp.qpn() == polled[n - 1].qpNum && qp.state() != QpState.ERR) {
                    receive(qp, polled[n - 1].wrId);
                }
            }
        }
    }

    /** Counts an answer, which also tells what comes next: a change may have kept a packet from being one. */
    private void hear(RocePacket answer) {
        assertThat(answer.destQp).isEqualTo(PEER_QPN);
        boolean refused = answer.opcode == Opcode.RC_ACKNOWLEDGE.code() && answer.syndrome > Syndrome.ACK;
        refusals += refused ? 1 : 0;
        granted += refused ? 0 : 1;
        unanswered = 0;
        psns.put(QpType.RC, refused ? answer.psn : Psn.plus(answer.psn, 1));
    }

    /** Returns the answers that were no refusals. */
    int granted() {
        return granted;
    }

    /** Returns the refusals. */
    int refusals() {
        return refusals;
    }

    void requireGuardUntouched() {
        byte[] now = content();
        assertThat(Arrays.copyOf(now, PAGE)).isEqualTo(Arrays.copyOf(before, PAGE));
        assertThat(Arrays.copyOfRange(now, 2 * PAGE, 3 * PAGE))
                .isEqualTo(Arrays.copyOfRange(before, 2 * PAGE, 3 * PAGE));
    }

    boolean regionWritten() {
        return !Arrays.equals(content(), before);
    }

    void requireGoodWrite() {
        RocePacket write = new RocePacket();
        write.flow.set(flow);
        write.opcode = Opcode.RC_RDMA_WRITE_ONLY.code();
        write.destQp = qpn(QpType.RC);
        write.psn = Objects.requireNonNull(psns.get(QpType.RC));
        write.ackReq = true;
        write.va = region.address() + 100;
        write.rkey = region.rkey();
        write.dmaLen = 3;
        write.setPayloadLength(3);
        write.payload.appendBytes(new byte[] {1, 2, 3}, 0, 3);
        lab.link().b().transmit(lab.sim().now() + 1, write);
        lab.sim().run(lab.sim().now() + 100_000_000);
        List<RocePacket> answers = peers.get(0).take();
        assertThat(answers).singleElement().satisfies(a -> {
            assertThat(a.opcode).isEqualTo(Opcode.RC_ACKNOWLEDGE.code());
            assertThat(a.syndrome).isEqualTo(0x1F);
            assertThat(a.psn).isEqualTo(Psn.MASK - 1);
        });
        byte[] there = Arrays.copyOfRange(content(), PAGE + 100, PAGE + 103);
        assertThat(there).containsExactly(1, 2, 3);
    }
}

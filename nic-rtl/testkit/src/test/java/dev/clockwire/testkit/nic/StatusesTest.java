package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.MemoryWindow;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.MwBind;
import dev.clockwire.roce.verbs.MwType;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every status that a work request of RC, UC or UD can end with, each provoked. */
class StatusesTest {
    /** Those of other services, of management datagrams and of tag matching, and that of a device that died. */
    private static final Set<WcStatus> OTHERS = EnumSet.of(
            WcStatus.LOC_EEC_OP_ERR,
            WcStatus.LOC_RDD_VIOL_ERR,
            WcStatus.REM_INV_RD_REQ_ERR,
            WcStatus.REM_ABORT_ERR,
            WcStatus.INV_EECN_ERR,
            WcStatus.INV_EEC_STATE_ERR,
            WcStatus.FATAL_ERR,
            WcStatus.RESP_TIMEOUT_ERR,
            WcStatus.TM_ERR,
            WcStatus.TM_RNDV_INCOMPLETE);

    private static final int RD_REFUSAL = 0x64;

    private final Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), spec());
    private Pair p = pair(QpType.RC);
    private Posts a = new Posts(p.a, p.b);
    private Posts b = new Posts(p.b, p.a);

    /** The software device is tried with the same tests. */
    LabSpec spec() {
        return LabSpec.of(1);
    }

    private Pair pair(QpType type) {
        return new Pair(lab, type, Mtu.MTU_1024, Allocation.Kind.REAL, 64, rts -> {
            if (type == QpType.RC) {
                rts.timeout(1).retryCount(2).rnrRetry(1);
            }
        });
    }

    private void ends(Pair.Side side, long wrId, WcStatus status) {
        WorkCompletion wc = p.next(side);
        assertThat(wc.wrId).isEqualTo(wrId);
        assertThat(wc.status).isEqualTo(status);
    }

    /** Changes what the server sends. */
    private void peerSends(Consumer<RocePacket> change) {
        lab.tapFrames((ps, end, frame) -> {
            if (end == lab.link().b() && frame instanceof RocePacket packet) {
                change.accept(packet);
            }
        });
    }

    private void answersAsIfAtomic(RocePacket packet) {
        if (packet.opcode == Opcode.RC_RDMA_READ_RESPONSE_ONLY.code()) {
            packet.opcode = Opcode.RC_ATOMIC_ACKNOWLEDGE.code();
            packet.payload.clear();
            packet.setPayloadLength(0);
        }
    }

    private SendEntry withoutData(Posts posts, WrOpcode opcode) {
        SendEntry e = posts.begin(opcode, 0);
        e.sges().clear();
        return e;
    }

    private void bindOfNothing() {
        MemoryWindow window = lab.await(p.a.pd.allocMw(MwType.TYPE_2));
        MwBind bind = new MwBind(window, p.a.mr, p.a.mr.address(), 10, EnumSet.of(AccessFlag.REMOTE_READ));
        p.a.qp.postSend(SendWorkRequest.bindMw(1, MemoryWindow.incRkey(window.rkey()), bind));
        ends(p.a, 1, WcStatus.MW_BIND_ERR);
    }

    private long longDatagram() {
        p = pair(QpType.UD);
        a = new Posts(p.a, p.b);
        SendEntry e = a.begin(WrOpcode.SEND, 4097);
        e.ah = lab.await(p.a.pd.createAh(AddressVector.to(lab.b().gid())));
        e.remoteQpn = p.b.qp.qpn();
        e.remoteQkey = Connections.QKEY;
        return a.post();
    }

    private void provoke(WcStatus status) {
        switch (status) {
            case SUCCESS -> ends(p.a, a.post(WrOpcode.RDMA_WRITE, 10), status);
            case LOC_LEN_ERR -> {
                long id = longDatagram();
                ends(p.a, id, status);
                assertThat(p.a.qp.state()).isEqualTo(QpState.SQE);
            }
            case LOC_QP_OP_ERR -> {
                withoutData(a, WrOpcode.LOCAL_INV).immOrKey = p.a.mr.rkey();
                ends(p.a, a.post(), status);
            }
            case LOC_PROT_ERR -> {
                withoutData(a, WrOpcode.RDMA_WRITE).sges().add(p.a.at(Pair.BUFFER - 5), 10, p.a.mr.lkey());
                ends(p.a, a.post(), status);
            }
            case WR_FLUSH_ERR -> {
                provoke(WcStatus.LOC_PROT_ERR);
                ends(p.a, a.post(WrOpcode.RDMA_WRITE, 10), status);
            }
            case MW_BIND_ERR -> bindOfNothing();
            case BAD_RESP_ERR -> {
                peerSends(this::answersAsIfAtomic);
                ends(p.a, a.post(WrOpcode.RDMA_READ, 100), status);
            }
            case LOC_ACCESS_ERR -> immediateWithoutRight();
            case REM_INV_REQ_ERR -> {
                a.begin(WrOpcode.ATOMIC_FETCH_AND_ADD, 8).remoteAddress++;
                ends(p.a, a.post(), status);
            }
            case REM_ACCESS_ERR -> {
                a.begin(WrOpcode.RDMA_READ, 10).rkey ^= 1;
                ends(p.a, a.post(), status);
            }
            case REM_OP_ERR -> {
                b.receive(Pair.BUFFER - 50, 100);
                ends(p.a, a.post(WrOpcode.SEND, 100), status);
            }
            case RETRY_EXC_ERR -> {
                peerSends(packet -> packet.icrcOk = false);
                ends(p.a, a.post(WrOpcode.RDMA_WRITE, 100), status);
            }
            case RNR_RETRY_EXC_ERR -> ends(p.a, a.post(WrOpcode.SEND, 100), status);
            case GENERAL_ERR -> {
                peerSends(packet -> packet.syndrome = RD_REFUSAL);
                ends(p.a, a.post(WrOpcode.RDMA_WRITE, 100), status);
            }
            default -> throw new AssertionError(status + " has no test");
        }
    }

    /** The receive that the immediate data would have completed tells of it, so there is no event. */
    private void immediateWithoutRight() {
        Completion<AsyncEvent> event = p.b.host.context().asyncEvent();
        long receive = b.receive(0, 100);
        a.begin(WrOpcode.RDMA_WRITE_WITH_IMM, 100).rkey ^= 1;
        ends(p.a, a.post(), WcStatus.REM_ACCESS_ERR);
        ends(p.b, receive, WcStatus.LOC_ACCESS_ERR);
        assertThat(p.b.qp.state()).isEqualTo(QpState.ERR);
        assertThat(event.isDone()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void eachStatusHasItsCause(WcStatus status) {
        if (!OTHERS.contains(status)) {
            provoke(status);
        }
    }

    /** The region goes away while the message is under way: its receive, which the last packet takes, tells of it. */
    @Test
    void aRegionThatGoesUnderAWriteWithImmediate() {
        long receive = b.receive(0, 100);
        for (int i = 0; i < 10; i++) {
            a.post(WrOpcode.RDMA_WRITE_WITH_IMM, 1 << 19);
        }
        lab.await(p.b.mr.dereg());
        WorkCompletion wc = p.next(p.b);
        assertThat(wc.wrId).isEqualTo(receive);
        assertThat(wc.status).isIn(WcStatus.WR_FLUSH_ERR, WcStatus.LOC_ACCESS_ERR);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }
}

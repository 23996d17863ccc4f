package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.DeviceMemory;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.MemoryWindow;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.MwBind;
import dev.clockwire.roce.verbs.MwType;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveWorkRequest;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WcFlag;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Shared queues, windows, device memory, events and draining of the software device. */
class SoftObjectsTest {
    private static final int VARIANT = 0xFF;

    private final Pair p = new Pair(
            Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1).withSoft(SoftSpec.usual())),
            QpType.RC,
            Mtu.MTU_1024,
            Allocation.Kind.REAL);
    private final Posts a = new Posts(p.a, p.b);
    private final Posts b = new Posts(p.b, p.a);

    private void settle() {
        p.lab.sim().run(p.lab.sim().now() + 20_000_000);
    }

    private void ends(Pair.Side side, long wrId, WcStatus status) {
        WorkCompletion wc = p.next(side);
        assertThat(wc.wrId).isEqualTo(wrId);
        assertThat(wc.status).isEqualTo(status);
    }

    private AsyncEventType event(Pair.Side side) {
        Completion<AsyncEvent> next = side.host.context().asyncEvent();
        settle();
        return next.get().type();
    }

    private MemoryRegion bindable() {
        return p.lab.await(p.b.pd.regMr(
                p.b.at(0), 8192, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.MW_BIND)));
    }

    private int bind(MemoryWindow window, MemoryRegion region, int key, WcStatus expected) {
        SendEntry e = b.begin(WrOpcode.BIND_MW, 0);
        e.sges().clear();
        e.rkey = key;
        e.bind = new MwBind(window, region, p.b.at(4096), 1000, EnumSet.of(AccessFlag.REMOTE_WRITE));
        ends(p.b, b.post(), expected);
        return key;
    }

    private void write(int key, int offset, int length, WcStatus expected) {
        SendEntry e = a.begin(WrOpcode.RDMA_WRITE, length);
        e.rkey = key;
        e.remoteAddress = p.b.at(offset);
        ends(p.a, a.post(), expected);
    }

    @Test
    void aWindowOpensItsPartUntilItsOwnerInvalidatesIt() {
        MemoryRegion region = bindable();
        MemoryWindow window = p.lab.await(p.b.pd.allocMw(MwType.TYPE_2));
        int key = bind(window, region, MemoryWindow.incRkey(window.rkey()), WcStatus.SUCCESS);
        write(key, 4096, 1000, WcStatus.SUCCESS);
        assertThatThrownBy(() -> p.lab.await(region.dereg())).isInstanceOf(VerbsException.class);
        SendEntry e = b.begin(WrOpcode.LOCAL_INV, 0);
        e.sges().clear();
        e.immOrKey = key;
        ends(p.b, b.post(), WcStatus.SUCCESS);
        write(key, 4096, 1000, WcStatus.REM_ACCESS_ERR);
        assertThat(event(p.b)).isEqualTo(AsyncEventType.QP_ACCESS_ERR);
    }

    @Test
    void aWindowOpensNothingBesideItsPart() {
        MemoryWindow window = p.lab.await(p.b.pd.allocMw(MwType.TYPE_2));
        int key = bind(window, bindable(), window.rkey() ^ VARIANT, WcStatus.SUCCESS);
        write(key, 4096, 1001, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void aRegionThatIsNotMeantForWindowsRefusesThem() {
        MemoryWindow window = p.lab.await(p.b.pd.allocMw(MwType.TYPE_2));
        bind(window, p.b.mr, MemoryWindow.incRkey(window.rkey()), WcStatus.MW_BIND_ERR);
        assertThat(p.b.qp.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void thePeerInvalidatesAWindowOnce() {
        MemoryRegion region = bindable();
        MemoryWindow window = p.lab.await(p.b.pd.allocMw(MwType.TYPE_2));
        int key = bind(window, region, MemoryWindow.incRkey(window.rkey()), WcStatus.SUCCESS);
        long first = b.receive(0, 100);
        SendEntry e = a.begin(WrOpcode.SEND_WITH_INV, 10);
        e.immOrKey = key;
        ends(p.a, a.post(), WcStatus.SUCCESS);
        WorkCompletion wc = p.next(p.b);
        assertThat(wc.wrId).isEqualTo(first);
        assertThat(wc.flags).isEqualTo(WcFlag.WITH_INV.code());
        assertThat(wc.immOrKey).isEqualTo(key);
        long second = b.receive(0, 100);
        e = a.begin(WrOpcode.SEND_WITH_INV, 10);
        e.immOrKey = key;
        a.post();
        ends(p.b, second, WcStatus.REM_INV_REQ_ERR);
        assertThat(p.b.qp.state()).isEqualTo(QpState.ERR);
    }

    private QueuePair create(Pair.Side side, @Nullable SharedReceiveQueue srq) {
        QpInit init = QpInit.of(QpType.RC, side.cq, new QpCapabilities(16, 0, 4, 4, 0));
        return p.lab.await(side.pd.createQp(srq == null ? init : init.withSrq(srq)));
    }

    @Test
    void queuePairsShareReceivesAndHearWhenTheyRunLow() {
        SharedReceiveQueue srq = p.lab.await(p.b.pd.createSrq(new SrqAttributes(8, 1, 0)));
        for (int i = 0; i < 3; i++) {
            srq.postReceive(new ReceiveWorkRequest(i, List.of(new ScatterGather(p.b.at(64 * i), 64, p.b.mr.lkey()))));
        }
        p.lab.await(srq.modifyLimit(2));
        QueuePair server = create(p.b, srq);
        QueuePair client = create(p.a, null);
        Connections.join(p.lab, client, p.b.host.gid(), server.qpn(), 1, 2, Mtu.MTU_1024);
        Connections.join(p.lab, server, p.a.host.gid(), client.qpn(), 2, 1, Mtu.MTU_1024);
        for (int i = 0; i < 2; i++) {
            SendBatch batch = new SendBatch(1, 1);
            SendEntry e = batch.add();
            e.opcode = WrOpcode.SEND;
            e.flags = SendFlag.SIGNALED.code();
            e.sges().add(p.a.at(0), 64, p.a.mr.lkey());
            client.postSend(batch);
            ends(p.a, 0, WcStatus.SUCCESS);
            ends(p.b, i, WcStatus.SUCCESS);
        }
        assertThat(event(p.b)).isEqualTo(AsyncEventType.SRQ_LIMIT_REACHED);
        assertThat(p.lab.await(srq.query()).limit()).isZero();
        p.lab.await(server.modify(new QpAttributes().state(QpState.ERR)));
        assertThat(event(p.b)).isEqualTo(AsyncEventType.QP_LAST_WQE_REACHED);
        assertThat(p.b.cq.hasCompletion()).as("a shared receive is not flushed").isFalse();
    }

    @Test
    void deviceMemoryIsReadByThePeer() {
        byte[] data = {1, 2, 3, 4, 5};
        p.b.write(100, data);
        DeviceMemory memory = p.lab.await(p.b.host.context().allocDm(4096));
        memory.copyTo(16, p.b.at(100), data.length);
        MemoryRegion region =
                p.lab.await(p.b.pd.regDmMr(memory, 16, 64, EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.ZERO_BASED)));
        SendEntry e = a.begin(WrOpcode.RDMA_READ, data.length);
        e.remoteAddress = 0;
        e.rkey = region.rkey();
        ends(p.a, a.post(), WcStatus.SUCCESS);
        assertThat(p.a.read(0, data.length)).isEqualTo(data);
    }

    @Test
    void anArmedQueueMakesOneEventAndASolicitedOneWaits() {
        Completion<CompletionQueue> event = p.b.cq.channel().cqEvent();
        p.b.cq.reqNotify(true);
        for (int i = 0; i < 3; i++) {
            b.receive(0, 64);
        }
        ends(p.a, a.post(WrOpcode.SEND, 8), WcStatus.SUCCESS);
        assertThat(event.isDone()).isFalse();
        a.begin(WrOpcode.SEND, 8).flags |= SendFlag.SOLICITED.code();
        ends(p.a, a.post(), WcStatus.SUCCESS);
        assertThat(event.get()).isSameAs(p.b.cq);
        Completion<CompletionQueue> none = p.b.cq.channel().cqEvent();
        ends(p.a, a.post(WrOpcode.SEND, 8), WcStatus.SUCCESS);
        settle();
        assertThat(none.isDone()).as("one event for each time it was armed").isFalse();
    }

    @Test
    void moderationWaitsForItsCountOrItsTime() {
        p.lab.await(p.b.cq.modify(3, 50));
        Completion<CompletionQueue> event = p.b.cq.channel().cqEvent();
        p.b.cq.reqNotify(false);
        for (int i = 0; i < 5; i++) {
            b.receive(0, 64);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(event.isDone()).isFalse();
            ends(p.a, a.post(WrOpcode.SEND, 8), WcStatus.SUCCESS);
        }
        assertThat(event.isDone()).isTrue();
        Completion<CompletionQueue> late = p.b.cq.channel().cqEvent();
        p.b.cq.reqNotify(false);
        ends(p.a, a.post(WrOpcode.SEND, 8), WcStatus.SUCCESS);
        p.lab.sim().run(p.lab.sim().now() + 40_000_000);
        assertThat(late.isDone()).isFalse();
        p.lab.sim().run(p.lab.sim().now() + 20_000_000);
        assertThat(late.isDone()).isTrue();
    }

    @Test
    void aQueueThatDrainsEndsWhatBeganAndStartsNothing() {
        long first = a.post(WrOpcode.RDMA_READ, 60_000);
        p.lab.sim().run(p.lab.sim().now() + 1_000_000);
        p.lab.await(p.a.qp.modify(new QpAttributes().state(QpState.SQD).sqdAsyncNotify(true)));
        long second = a.post(WrOpcode.RDMA_WRITE, 8);
        assertThat(event(p.a)).isEqualTo(AsyncEventType.SQ_DRAINED);
        ends(p.a, first, WcStatus.SUCCESS);
        settle();
        assertThat(p.a.cq.hasCompletion()).isFalse();
        p.lab.await(p.a.qp.modify(new QpAttributes().state(QpState.RTS)));
        ends(p.a, second, WcStatus.SUCCESS);
    }

    @Test
    void resetForgetsEverythingAndTheQueuePairConnectsAnew() {
        long unseen = a.post(WrOpcode.RDMA_WRITE, 100);
        settle();
        assertThat(p.a.cq.hasCompletion()).isTrue();
        p.lab.await(p.a.qp.modify(new QpAttributes().state(QpState.RESET)));
        p.lab.await(p.b.qp.modify(new QpAttributes().state(QpState.RESET)));
        assertThat(p.a.cq.hasCompletion()).as("completion of " + unseen).isFalse();
        Connections.join(p.lab, p.a.qp, p.b.host.gid(), p.b.qp.qpn(), 5, 6, Mtu.MTU_1024);
        Connections.join(p.lab, p.b.qp, p.a.host.gid(), p.a.qp.qpn(), 6, 5, Mtu.MTU_1024);
        ends(p.a, a.post(WrOpcode.RDMA_READ, 3000), WcStatus.SUCCESS);
    }
}

package dev.clockwire.roce.verbs;

import static dev.clockwire.roce.verbs.Rig.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Shared receive queues, memory windows, device memory, numbers: what the API says before a provider is asked. */
class SharedObjectsTest {
    private static final QpCapabilities SIZES = new QpCapabilities(4, 4, 2, 2, 64);

    private final Rig rig = new Rig();

    private SharedReceiveQueue srq() {
        return rig.pd.createSrq(new SrqAttributes(2, 2, 9)).get();
    }

    @Test
    void sharedReceivesAreChecked() {
        SharedReceiveQueue srq = srq();
        FakeProvider.FakeSrq fake = rig.provider.srqs.get(0);
        ScatterGather sge = rig.sge(8);
        refused(
                () -> srq.postReceive(new ReceiveWorkRequest(1, List.of(sge, sge, sge))),
                Errno.EINVAL,
                "post_srq_recv[0]: EINVAL: 3 SGEs: must be 0..2");
        assertThat(fake.rings).isZero();
        ReceiveBatch three = new ReceiveBatch(3, 1);
        for (int i = 1; i <= 3; i++) {
            three.add(ReceiveWorkRequest.into(i, sge));
        }
        VerbsException full = catchThrowableOfType(VerbsException.class, () -> srq.postReceive(three));
        assertThat(full).hasMessage("post_srq_recv[2]: ENOMEM: queue of 2 is full");
        assertThat(full.badIndex()).isEqualTo(2);
        assertThat(fake.receives).containsExactly(1L, 2L);
        assertThat(fake.rings).isEqualTo(1);
    }

    @Test
    void limitOfASharedQueue() {
        SharedReceiveQueue srq = srq();
        refused(() -> srq.modifyLimit(3), Errno.EINVAL, "modify_srq: EINVAL: srq_limit 3: must be 0..2");
        assertThat(srq.query().get().limit()).isZero();
        assertThat(srq.modifyLimit(2).get()).isSameAs(srq);
        assertThat(srq.query().get().limit()).isEqualTo(2);
        refused(
                () -> rig.pd.createSrq(new SrqAttributes(1 << 15, 1, 0)),
                Errno.EINVAL,
                "create_srq: EINVAL: max_wr 32768: must be 1..32767");
    }

    @Test
    void queuePairOnASharedQueue() {
        SharedReceiveQueue srq = srq();
        QueuePair qp = rig.pd
                .createQp(QpInit.of(QpType.RC, rig.cq, SIZES).withSrq(srq))
                .get();
        rig.queue().state = QpState.INIT;
        refused(
                () -> qp.postReceive(ReceiveWorkRequest.into(1, rig.sge(8))),
                Errno.EINVAL,
                "post_recv[0]: EINVAL: receives come from a shared queue: post there");
        refused(srq::destroy, Errno.EBUSY, "destroy_srq: EBUSY: SRQ " + srq.number() + " is used by 1 object");
        qp.close();
        srq.close();
        refused(() -> srq.modifyLimit(0), Errno.EINVAL, "modify_srq: EINVAL: SRQ " + srq.number() + " is closed");
    }

    @Test
    void queuePairOneIsForDatagrams() {
        refused(
                () -> rig.pd.createQp(QpInit.of(QpType.RC, rig.cq, SIZES).asGsi()),
                Errno.EINVAL,
                "create_qp: EINVAL: queue pair 1 is UD, not RC");
    }

    @Test
    void windowsAreBoundAsTheirTypeSays() {
        QueuePair qp = rig.ready(QpType.RC);
        MemoryWindow one = rig.pd.allocMw(MwType.TYPE_1).get();
        MemoryWindow two = rig.pd.allocMw(MwType.TYPE_2).get();
        MwBind bindOne = new MwBind(one, rig.mr, rig.mr.address(), 8, EnumSet.of(AccessFlag.REMOTE_READ));
        MwBind bindTwo = new MwBind(two, rig.mr, rig.mr.address(), 8, EnumSet.of(AccessFlag.REMOTE_READ));
        refused(
                () -> qp.postSend(SendWorkRequest.bindMw(1, 7, bindOne)),
                Errno.EINVAL,
                "post_send[0]: EINVAL: TYPE_1: bind_mw takes TYPE_1, a work request TYPE_2");
        refused(
                () -> qp.bindMw(1, Set.of(), bindTwo),
                Errno.EINVAL,
                "post_send[0]: EINVAL: TYPE_2: bind_mw takes TYPE_1, a work request TYPE_2");
        assertThat(two.rkey()).isEqualTo(0x1234FF);
        qp.bindMw(1, EnumSet.of(SendFlag.SIGNALED), bindOne);
        assertThat(one.rkey()).as("the variant wraps, the index stays").isEqualTo(0x123400);
        qp.postSend(SendWorkRequest.bindMw(1, 0x123455, bindTwo));
        assertThat(two.rkey()).isEqualTo(0x123455);
        assertThat(rig.queue().sends).containsExactly(WrOpcode.BIND_MW, WrOpcode.BIND_MW);
        one.close();
        refused(
                () -> qp.bindMw(1, Set.of(), bindOne),
                Errno.EINVAL,
                "post_send[0]: EINVAL: window or region is closed");
        assertThat(rig.provider.log).contains("dealloc_mw 1234ff");
    }

    @Test
    void localOperationsNeedTheirOperands() {
        QueuePair qp = rig.ready(QpType.RC);
        FakeProvider.FakeQueue queue = rig.queue();
        SendBatch batch = new SendBatch(1, 1);
        batch.add().opcode = WrOpcode.BIND_MW;
        refused(() -> qp.postSend(batch), Errno.EINVAL, "post_send[0]: EINVAL: BIND_MW needs a window and a region");
        batch.clear();
        SendEntry wr = batch.add();
        wr.opcode = WrOpcode.LOCAL_INV;
        wr.sges().add(rig.sge(1));
        refused(() -> qp.postSend(batch), Errno.EINVAL, "post_send[0]: EINVAL: LOCAL_INV takes no SGEs");
        refused(
                () -> rig.ready(QpType.UD).postSend(SendWorkRequest.localInv(1, 5)),
                Errno.EINVAL,
                "post_send[0]: EINVAL: LOCAL_INV is not allowed on UD");
        qp.postSend(SendWorkRequest.localInv(1, 5));
        assertThat(queue.sends).containsExactly(WrOpcode.LOCAL_INV);
    }

    @Test
    void deviceMemory() {
        DeviceMemory memory = rig.context.allocDm(64).get();
        EnumSet<AccessFlag> read = EnumSet.of(AccessFlag.REMOTE_READ);
        refused(
                () -> rig.pd.regDmMr(memory, 0, 64, read),
                Errno.EINVAL,
                "reg_dm_mr: EINVAL: device memory has no address: ZERO_BASED is needed");
        read.add(AccessFlag.ZERO_BASED);
        refused(() -> rig.pd.regDmMr(memory, 60, 8, read), Errno.EINVAL, "reg_dm_mr: EINVAL: length 8: must be 1..4");
        MemoryRegion mr = rig.pd.regDmMr(memory, 16, 8, read).get();
        assertThat(mr.address()).isZero();
        assertThat(rig.provider.log).contains("reg_dm 16 8 iova 0");
        refused(() -> memory.copyTo(60, 0, 5), Errno.EINVAL, "memcpy_to_dm: EINVAL: length 5: must be 0..4");
        memory.copyTo(60, 0, 4);
        refused(memory::free, Errno.EBUSY, "free_dm: EBUSY: DM is used by 1 object");
        mr.dereg().get();
        memory.free().get();
        refused(() -> memory.copyFrom(0, 0, 1), Errno.EINVAL, "memcpy_from_dm: EINVAL: DM is closed");
    }

    @Test
    void aRefusedDeregistrationLeavesTheRegion() {
        rig.provider.nextFailure = new VerbsException(Errno.EBUSY, "dereg_mr", "a window is bound to it");
        assertThat(rig.mr.dereg().isFailed()).isTrue();
        refused(rig.pd::dealloc, Errno.EBUSY, "dealloc_pd: EBUSY: PD " + rig.pd.number() + " is used by 1 object");
        assertThat(rig.mr.dereg().get()).isSameAs(rig.mr);
        rig.pd.dealloc().get();
    }

    @Test
    void moderationHasAProvider() {
        assertThat(rig.cq.modify(16, 8).isFailed()).isTrue();
        refused(() -> rig.cq.modify(1 << 16, 8), Errno.EINVAL, "modify_cq: EINVAL: cq_count 65536: must be 0..65535");
    }

    @Test
    void countedNumbersLeaveOutTheGivenOnes() {
        Numbering numbers = Numbering.given(new int[] {0x12, 0x777777}, new int[] {0x000201});
        assertThat(numbers.nextQpn()).isEqualTo(0x12);
        assertThat(numbers.nextQpn()).isEqualTo(0x777777);
        assertThat(numbers.nextQpn()).isEqualTo(0x11);
        assertThat(numbers.nextQpn()).isEqualTo(0x13);
        assertThat(numbers.nextKey()).isEqualTo(0x201);
        assertThat(numbers.nextKey()).isEqualTo(0x125);
        assertThat(numbers.nextKey()).as("index 2 was given").isEqualTo(0x36F);
        assertThat(Numbering.counting().nextKey()).isEqualTo(0x125);
    }

    @Test
    void drainingQueuesOnlyGoToError() {
        QueuePair qp = rig.ready(QpType.RC);
        rig.queue().state = QpState.SQD;
        rig.queue().draining = true;
        assertThat(qp.query().sqDraining()).isTrue();
        refused(
                () -> qp.modify(new QpAttributes().state(QpState.RTS)),
                Errno.EINVAL,
                "modify_qp: EINVAL: the send queue is being drained: only ERR is allowed");
        rig.queue().draining = false;
        qp.modify(new QpAttributes().state(QpState.RTS)).get();
        assertThat(qp.query().maxRdAtomic()).isEqualTo(16);
        qp.modify(new QpAttributes().state(QpState.RESET)).get();
        assertThat(qp.query().maxRdAtomic()).as("RESET forgets the attributes").isZero();
    }
}

package dev.clockwire.roce.verbs;

import static dev.clockwire.roce.verbs.Rig.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObjectsTest {
    private final Rig rig = new Rig();

    @Test
    void remoteWritesNeedLocalWrite() {
        for (AccessFlag flag : EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC)) {
            refused(
                    () -> rig.pd.regMr(rig.buffer.address(), 8, Set.of(flag)),
                    Errno.EINVAL,
                    "reg_mr: EINVAL: REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE");
        }
        assertThat(rig.pd
                        .regMr(rig.buffer.address(), 8, Set.of(AccessFlag.REMOTE_READ))
                        .get()
                        .length())
                .isEqualTo(8);
    }

    @Test
    void memoryMustExist() {
        assertThatThrownBy(() -> rig.pd.regMr(rig.buffer.address(), Rig.BUFFER + 1, Rig.ALL))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EFAULT))
                .hasMessageStartingWith("reg_mr: EFAULT: ")
                .hasMessageContaining("buffer");
        refused(
                () -> rig.pd.regMr(rig.buffer.address(), 0, Rig.ALL),
                Errno.EINVAL,
                "reg_mr: EINVAL: length 0: must be 1.." + Long.MAX_VALUE);
        assertThat(rig.provider.log).hasSize(1);
    }

    @Test
    void unsupportedAccess() {
        refused(
                () -> rig.pd.regMr(rig.buffer.address(), 8, Set.of(AccessFlag.ON_DEMAND)),
                Errno.EOPNOTSUPP,
                "reg_mr: EOPNOTSUPP: ON_DEMAND is not supported");
    }

    @Test
    void regionsMayCountFromAnywhere() {
        assertThat(rig.mr.address()).isEqualTo(rig.buffer.address());
        assertThat(rig.mr.access()).isEqualTo(0xF);
        MemoryRegion shifted =
                rig.pd.regMrIova(rig.buffer.address(), 100, 0x5000, Rig.ALL).get();
        assertThat(ScatterGather.of(shifted, 10, 20).address()).isEqualTo(0x500A);
        Set<AccessFlag> zeroBased = EnumSet.of(AccessFlag.ZERO_BASED);
        assertThat(rig.pd.regMr(rig.buffer.address(), 100, zeroBased).get().address())
                .isZero();
        assertThat(shifted.rkey()).isEqualTo(shifted.lkey());
    }

    @Test
    void sizesBeyondTheDevice() {
        refused(() -> rig.context.createCq(0), Errno.EINVAL, "create_cq: EINVAL: cqe 0: must be 1..4194303");
        refused(
                () -> rig.context.createCq(1 << 22),
                Errno.EINVAL,
                "create_cq: EINVAL: cqe 4194304: must be 1..4194303");
        tooLarge(new QpCapabilities(32769, 4, 2, 2, 64), "max_send_wr 32769: must be 0..32768");
        tooLarge(new QpCapabilities(4, -1, 2, 2, 64), "max_recv_wr -1: must be 0..32768");
        tooLarge(new QpCapabilities(4, 4, 31, 2, 64), "max_send_sge 31: must be 0..30");
        tooLarge(new QpCapabilities(4, 4, 2, 31, 64), "max_recv_sge 31: must be 0..30");
        tooLarge(new QpCapabilities(4, 4, 2, 2, 957), "max_inline_data 957: must be 0..956");
        assertThat(rig.cq.capacity()).isGreaterThanOrEqualTo(100);
    }

    private void tooLarge(QpCapabilities capabilities, String text) {
        QpInit init = QpInit.of(QpType.RC, rig.cq, capabilities);
        refused(() -> rig.pd.createQp(init), Errno.EINVAL, "create_qp: EINVAL: " + text);
    }

    @Test
    void nothingInUseIsDestroyed() {
        QueuePair qp = rig.qp(QpType.RC);
        String cqText = "CQ " + rig.cq.number();
        refused(() -> rig.cq.destroy(), Errno.EBUSY, "destroy_cq: EBUSY: " + cqText + " is used by 2 objects");
        refused(() -> rig.pd.dealloc(), Errno.EBUSY, "dealloc_pd: EBUSY: PD 256 is used by 2 objects");
        refused(() -> rig.context.close(), Errno.EBUSY, "close_device: EBUSY: context of fake_0 is used by 2 objects");
        qp.close();
        refused(() -> rig.pd.dealloc(), Errno.EBUSY, "dealloc_pd: EBUSY: PD 256 is used by 1 object");
        rig.mr.close();
        rig.pd.close();
        rig.cq.close();
        rig.context.close();
        assertThat(rig.provider.log).contains("dereg", "dealloc 256");
    }

    @Test
    void closedObjectsRefuse() {
        QueuePair qp = rig.qp(QpType.RC);
        qp.close();
        String text = "QP 0x" + Integer.toHexString(qp.qpn()) + " is closed";
        refused(() -> qp.postSend(SendWorkRequest.send(1)), Errno.EINVAL, "post_send: EINVAL: " + text);
        refused(() -> qp.postReceive(new ReceiveBatch(1, 1)), Errno.EINVAL, "post_recv: EINVAL: " + text);
        refused(() -> qp.modify(new QpAttributes()), Errno.EINVAL, "modify_qp: EINVAL: " + text);
        refused(() -> qp.destroy(), Errno.EINVAL, "destroy_qp: EINVAL: " + text);
        rig.cq.close();
        refused(
                () -> rig.cq.poll(new WorkCompletion[0]),
                Errno.EINVAL,
                "poll_cq: EINVAL: CQ " + rig.cq.number() + " is closed");
        assertThat(rig.cq.hasCompletion()).isFalse();
    }

    @Test
    void failedCreationLeavesNothingInUse() {
        rig.mr.close();
        rig.provider.nextFailure = new VerbsException(Errno.ENOMEM, "create_qp", "all 4 queue pairs are in use");
        Completion<QueuePair> done = rig.pd.createQp(QpInit.of(QpType.RC, rig.cq, new QpCapabilities(1, 1, 1, 1, 0)));
        refused(done::get, Errno.ENOMEM, "create_qp: ENOMEM: all 4 queue pairs are in use");
        rig.provider.nextFailure = new VerbsException(Errno.ENODEV, "create_ah", "no way to 10.0.0.9");
        refused(
                () -> rig.pd.createAh(AddressVector.to(Gid.ofIpv4(9))).get(),
                Errno.ENODEV,
                "create_ah: ENODEV: no way to 10.0.0.9");
        rig.cq.close();
        rig.pd.close();
        rig.context.close();
    }

    @Test
    void pollAndNotify() {
        FakeProvider.FakeCq behind = rig.provider.cqs.get(0);
        WorkCompletion one = new WorkCompletion();
        one.wrId = 42;
        behind.ready.add(one);
        assertThat(rig.cq.hasCompletion()).isTrue();
        WorkCompletion[] out = WorkCompletion.array(4);
        assertThat(rig.cq.poll(out)).isEqualTo(1);
        assertThat(out[0].wrId).isEqualTo(42);
        rig.cq.reqNotify(true);
        assertThat(behind.solicitedOnly).isTrue();
        Completion<CompletionQueue> event = rig.cq.channel().cqEvent();
        assertThat(event.isDone()).isFalse();
        behind.fired.run();
        behind.fired.run();
        assertThat(event.get()).isSameAs(rig.cq);
        assertThat(rig.cq.channel().cqEvent().isDone())
                .as("one that came before it was asked for")
                .isTrue();
        behind.broken = true;
        refused(
                () -> rig.cq.poll(out),
                Errno.EIO,
                "poll_cq: EIO: CQ " + rig.cq.number()
                        + " is broken: it overflowed, or the device could not read its record");
    }

    @Test
    void asyncEvents() {
        AsyncEvent first = new AsyncEvent(AsyncEventType.QP_ACCESS_ERR, 5);
        rig.provider.raise(first);
        assertThat(rig.context.asyncEvent().get()).isEqualTo(first);
        Completion<AsyncEvent> next = rig.context.asyncEvent();
        assertThat(next.isDone()).isFalse();
        rig.provider.raise(new AsyncEvent(AsyncEventType.PORT_ERR, 1));
        assertThat(next.get().type().code()).isEqualTo(10);
    }

    @Test
    void completionsOfControlVerbs() {
        Completion<Integer> done = new Completion<>();
        Completion<String> mapped = done.map(x -> "got " + x);
        assertThatThrownBy(done::get)
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("the verb has not ended yet: run the simulation until it has");
        done.complete(5);
        assertThat(mapped.get()).isEqualTo("got 5");
        assertThat(Completion.of(1).isFailed()).isFalse();
        assertThatThrownBy(() -> done.complete(6)).isInstanceOf(InvariantViolation.class);
        Completion<Integer> failing = new Completion<>();
        Completion<String> failed = failing.map(x -> "never");
        failing.fail(new VerbsException(Errno.ENODEV, "x", "gone"));
        assertThat(failed.isFailed()).isTrue();
        StringBuilder heard = new StringBuilder();
        failing.whenFailed(e -> heard.append(e.errno().code()));
        assertThat(heard).hasToString("19");
    }

    @Test
    void devicesAndPorts() {
        assertThat(rig.device).hasToString("fake_0");
        assertThat(rig.device.attributes().vendorId()).isEqualTo(0x2C9);
        assertThat(rig.device.port(1).gids()).containsExactly(Gid.ofIpv4(0x0A000001));
        refused(() -> rig.device.port(0), Errno.EINVAL, "query_port: EINVAL: port 0: must be 1..1");
        assertThat(rig.context.device()).isSameAs(rig.device);
        assertThat(rig.pd.context().cpu().name()).isEqualTo("cpu0");
    }

    @Test
    void addressesAsText() {
        assertThat(Gid.ofIpv4(0x0A000102)).hasToString("::ffff:10.0.1.2");
        assertThat(new Gid(0xFE80_0000_0000_0000L, 0x1234_5678_9ABC_DEF0L))
                .hasToString("fe80:0:0:0:1234:5678:9abc:def0");
        assertThat(new Gid(1, 0xFFFF_0000_0001L).isIpv4()).isFalse();
    }

    @Test
    void codesAreThoseOfC() {
        assertThat(SendFlag.mask(Set.of(SendFlag.FENCE, SendFlag.INLINE))).isEqualTo(9);
        assertThat(SendFlag.SOLICITED.in(4)).isTrue();
        assertThat(WcOpcode.RECV_RDMA_WITH_IMM.code()).isEqualTo(129);
        assertThat(WcOpcode.RECV.isReceive()).isTrue();
        assertThat(WcOpcode.FETCH_ADD.isReceive()).isFalse();
        assertThat(WcOpcode.of(WrOpcode.SEND_WITH_INV)).isEqualTo(WcOpcode.SEND);
        assertThat(WcOpcode.of(WrOpcode.RDMA_WRITE_WITH_IMM)).isEqualTo(WcOpcode.RDMA_WRITE);
        assertThat(WcOpcode.of(WrOpcode.ATOMIC_CMP_AND_SWP).code()).isEqualTo(3);
        assertThat(WcFlag.WITH_INV.in(8)).isTrue();
        assertThat(WcFlag.GRH.code()).isEqualTo(1);
        assertThat(Errno.EOPNOTSUPP.code()).isEqualTo(95);
        WorkCompletion wc = new WorkCompletion();
        wc.qpNum = 0x12;
        wc.wrId = 3;
        assertThat(wc).hasToString("SEND wr_id=3 qp=0x12 success");
        wc.reset();
        assertThat(wc.qpNum).isZero();
    }
}

package dev.clockwire.roce.verbs;

import static dev.clockwire.roce.verbs.Rig.refused;
import static dev.clockwire.roce.verbs.Rig.toInit;
import static dev.clockwire.roce.verbs.Rig.toRtr;
import static dev.clockwire.roce.verbs.Rig.toRts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.QpAttr;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.RequesterSpec;
import dev.clockwire.roce.transport.ResponderSpec;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ModifyTest {
    private final Rig rig = new Rig();

    @Test
    void theUsualWayForAllServices() {
        for (QpType type : QpType.values()) {
            QueuePair qp = rig.ready(type);
            assertThat(qp.state()).isEqualTo(QpState.RTS);
            assertThat(qp.query().sqPsn()).isEqualTo(9);
            assertThat(qp.query().state()).isEqualTo(QpState.RTS);
        }
    }

    @Test
    void providerSeesEverythingSetSoFar() {
        rig.ready(QpType.RC);
        QpAttributes all = Objects.requireNonNull(rig.queue().lastAll);
        assertThat(all.destQpn()).isEqualTo(0x77);
        assertThat(all.has(QpAttr.AV)).isTrue();
        RequesterSpec requester = all.requester(QpType.RC, 0x55, 0xFFFF, Mtu.MTU_4096);
        assertThat(requester).isEqualTo(new RequesterSpec(QpType.RC, 1024, 0x55, 0x77, 0xFFFF, 0, 9, 16, 7, 7, 0));
        ResponderSpec responder = all.responder(QpType.RC, 0xFFFF, Mtu.MTU_4096);
        assertThat(responder).isEqualTo(new ResponderSpec(QpType.RC, 1024, 0x77, 0xFFFF, 5, 2, 16, 12, true));
        assertThat(all.requester(QpType.UD, 0x55, 0xFFFF, Mtu.MTU_4096).mtu()).isEqualTo(4096);
    }

    @Test
    void transitionThatDoesNotExist() {
        QueuePair qp = rig.qp(QpType.RC);
        QpAttributes change = new QpAttributes().state(QpState.RTS);
        refused(() -> qp.modify(change), Errno.EINVAL, "modify_qp: EINVAL: RC cannot go from RESET to RTS");
        QpAttributes toError = new QpAttributes().state(QpState.ERR);
        refused(() -> qp.modify(toError), Errno.EINVAL, "modify_qp: EINVAL: RC cannot go from RESET to ERR");
        assertThat(qp.state()).isEqualTo(QpState.RESET);
    }

    @Test
    void missingAndSurplusAttributes() {
        QueuePair qp = rig.qp(QpType.RC);
        refused(
                () -> qp.modify(new QpAttributes().state(QpState.INIT).port(1)),
                Errno.EINVAL,
                "modify_qp: EINVAL: RC RESET to INIT needs ACCESS_FLAGS|PKEY_INDEX");
        refused(
                () -> qp.modify(toInit(QpType.RC).qkey(1)),
                Errno.EINVAL,
                "modify_qp: EINVAL: RC RESET to INIT does not take QKEY");
        assertThat(qp.query().mask()).as("nothing has changed").isEqualTo(QpAttr.STATE.bit());
    }

    @Test
    void valuesOutOfRange() {
        QueuePair qp = rig.qp(QpType.RC);
        refused(() -> qp.modify(toInit(QpType.RC).port(2)), Errno.EINVAL, "modify_qp: EINVAL: PORT 2: must be 1..1");
        refused(
                () -> qp.modify(toInit(QpType.RC).pkeyIndex(128)),
                Errno.EINVAL,
                "modify_qp: EINVAL: PKEY_INDEX 128: must be 0..127");
        qp.modify(toInit(QpType.RC)).get();
        refused(
                () -> qp.modify(toRtr(QpType.RC).pathMtu(Mtu.MTU_2048)),
                Errno.EINVAL,
                "modify_qp: EINVAL: path MTU 2048: the port has 1024");
        refused(
                () -> qp.modify(toRtr(QpType.RC).maxDestRdAtomic(17)),
                Errno.EINVAL,
                "modify_qp: EINVAL: MAX_DEST_RD_ATOMIC 17: must be 0..16");
        refused(
                () -> qp.modify(toRtr(QpType.RC).minRnrTimer(32)),
                Errno.EINVAL,
                "modify_qp: EINVAL: MIN_RNR_TIMER 32: must be 0..31");
        refused(
                () -> qp.modify(toRtr(QpType.RC).destQpn(1 << 24)),
                Errno.EINVAL,
                "modify_qp: EINVAL: DEST_QPN 16777216: must be 0..16777215");
        AddressVector far = AddressVector.to(Gid.ofIpv4(5)).withSgidIndex(1);
        refused(
                () -> qp.modify(toRtr(QpType.RC).addressVector(far)),
                Errno.EINVAL,
                "modify_qp: EINVAL: sgid_index 1: must be 0..0");
        AddressVector marked = AddressVector.to(Gid.ofIpv4(5)).withTrafficClass(256);
        refused(
                () -> qp.modify(toRtr(QpType.RC).addressVector(marked)),
                Errno.EINVAL,
                "modify_qp: EINVAL: traffic_class 256: must be 0..255");
    }

    @Test
    void timersAndCountersOutOfRange() {
        QueuePair qp = rig.qp(QpType.RC);
        qp.modify(toInit(QpType.RC)).get();
        qp.modify(toRtr(QpType.RC)).get();
        refused(
                () -> qp.modify(toRts(QpType.RC).timeout(32)),
                Errno.EINVAL,
                "modify_qp: EINVAL: TIMEOUT 32: must be 0..31");
        refused(
                () -> qp.modify(toRts(QpType.RC).retryCount(8)),
                Errno.EINVAL,
                "modify_qp: EINVAL: RETRY_CNT 8: must be 0..7");
        refused(
                () -> qp.modify(toRts(QpType.RC).rnrRetry(-1)),
                Errno.EINVAL,
                "modify_qp: EINVAL: RNR_RETRY -1: must be 0..7");
        refused(
                () -> qp.modify(toRts(QpType.RC).maxRdAtomic(17)),
                Errno.EINVAL,
                "modify_qp: EINVAL: MAX_QP_RD_ATOMIC 17: must be 0..16");
        qp.modify(toRts(QpType.RC).sqPsn(0x5FF_FFFF)).get();
        assertThat(qp.query().sqPsn()).as("more than 24 bits are cut").isEqualTo(0xFF_FFFF);
    }

    @Test
    void currentStateMustBeRight() {
        QueuePair qp = rig.ready(QpType.RC);
        refused(
                () -> qp.modify(new QpAttributes().state(QpState.RTS).currentState(QpState.RTR)),
                Errno.EINVAL,
                "modify_qp: EINVAL: current state given as RTR, it is RTS (RTR, RTS, SQD or SQE are allowed)");
        qp.modify(new QpAttributes().state(QpState.RTS).currentState(QpState.RTS))
                .get();
    }

    @Test
    void oneChangeAtATime() {
        QueuePair qp = rig.qp(QpType.RC);
        rig.provider.prompt = false;
        Completion<QueuePair> first = qp.modify(toInit(QpType.RC));
        assertThat(first.isDone()).isFalse();
        refused(
                () -> qp.modify(toInit(QpType.RC)),
                Errno.EBUSY,
                "modify_qp: EBUSY: the change before this one has not ended");
        rig.provider.pending.remove(0).run();
        assertThat(first.get()).isSameAs(qp);
        assertThat(qp.state()).isEqualTo(QpState.INIT);
    }

    @Test
    void failedChangeChangesNothing() {
        QueuePair qp = rig.qp(QpType.RC);
        qp.modify(toInit(QpType.RC)).get();
        rig.provider.nextFailure = new VerbsException(Errno.ETIMEDOUT, "modify_qp", "no answer from 10.0.0.2");
        Completion<QueuePair> done = qp.modify(toRtr(QpType.RC));
        refused(done::get, Errno.ETIMEDOUT, "modify_qp: ETIMEDOUT: no answer from 10.0.0.2");
        assertThat(done.isFailed()).isTrue();
        assertThat(qp.query().has(QpAttr.AV)).isFalse();
        qp.modify(toRtr(QpType.RC)).get();
        assertThat(qp.state()).isEqualTo(QpState.RTR);
    }

    @Test
    void mtuOfASize() {
        assertThat(Mtu.ofBytes(2048)).isEqualTo(Mtu.MTU_2048);
        assertThat(Mtu.MTU_4096.code()).isEqualTo(5);
        refused(
                () -> Mtu.ofBytes(1500),
                Errno.EINVAL,
                "modify_qp: EINVAL: path MTU 1500: must be 256, 512, 1024, 2048 or 4096");
    }
}

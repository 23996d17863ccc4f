package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.Mtu;
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
import dev.clockwire.sim.mem.Allocation;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A receive queue that never holds more than one receive, which is posted before its message is sent: none may be refused, whatever
 * the device has read of the doorbell record before.
 */
class OneReceiveTest {
    private static final int ROUNDS = 48;
    /** Apart by less than a read of host memory takes, and in sum longer. */
    private static final long STEP_PS = 37_000;

    private static final int LENGTH = 3000;

    private static Pair pair(QpType type) {
        return new Pair(
                Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1)), type, Mtu.MTU_4096, Allocation.Kind.REAL);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = QpType.class,
            names = {"RC", "UC", "UD"})
    void anOwnQueueRefusesNothing(QpType type) {
        Pair p = pair(type);
        QpCapabilities one = new QpCapabilities(4, 1, 1, 1, 0);
        QueuePair sender = p.lab.await(p.a.pd.createQp(QpInit.of(type, p.a.cq, one)));
        QueuePair receiver = p.lab.await(p.b.pd.createQp(QpInit.of(type, p.b.cq, one)));
        exchange(p, sender, receiver, receiver::postReceive);
    }

    @Test
    void aSharedQueueRefusesNothing() {
        Pair p = pair(QpType.RC);
        SharedReceiveQueue srq = p.lab.await(p.b.pd.createSrq(new SrqAttributes(1, 1, 0)));
        QpCapabilities one = new QpCapabilities(4, 1, 1, 1, 0);
        QueuePair sender = p.lab.await(p.a.pd.createQp(QpInit.of(QpType.RC, p.a.cq, one)));
        QueuePair receiver =
                p.lab.await(p.b.pd.createQp(QpInit.of(QpType.RC, p.b.cq, one).withSrq(srq)));
        exchange(p, sender, receiver, srq::postReceive);
    }

    /** The record is read again for each message, not once for all: without a receive it is still refused. */
    @Test
    void aMessageWithoutAReceiveIsRefused() {
        Pair p = pair(QpType.UD);
        SendBatch message = message(p, p.b.qp);
        for (int i = 1; i <= 3; i++) {
            p.a.qp.postSend(message);
            p.lab.sim().run(p.lab.sim().now() + 20_000_000);
            assertThat(p.b.host.nic().responder().outOfBuffer()).isEqualTo(i);
        }
        p.b.qp.postReceive(ReceiveWorkRequest.into(7, ScatterGather.of(p.b.mr, 0, LENGTH + 40)));
        p.a.qp.postSend(message);
        assertThat(p.next(p.b).wrId).isEqualTo(7);
        assertThat(p.b.host.nic().responder().outOfBuffer()).isEqualTo(3);
    }

    private static void exchange(
            Pair p, QueuePair sender, QueuePair receiver, Consumer<ReceiveWorkRequest> postReceive) {
        Connections.join(p.lab, sender, p.b.host.gid(), receiver.qpn(), 1, 2, Mtu.MTU_4096);
        Connections.join(p.lab, receiver, p.a.host.gid(), sender.qpn(), 2, 1, Mtu.MTU_4096);
        SendBatch message = message(p, receiver);
        for (int round = 0; round < ROUNDS; round++) {
            postReceive.accept(ReceiveWorkRequest.into(round, ScatterGather.of(p.b.mr, 0, LENGTH + 40)));
            sender.postSend(message);
            assertThat(p.next(p.b).status).isEqualTo(WcStatus.SUCCESS);
            assertThat(p.b.wc[0].wrId).isEqualTo(round);
            assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
            assertThat(p.b.host.nic().responder().outOfBuffer())
                    .as("refused by round %d", round)
                    .isZero();
            p.lab.sim().run(p.lab.sim().now() + 1 + round * STEP_PS);
        }
    }

    private static SendBatch message(Pair p, QueuePair receiver) {
        SendBatch batch = new SendBatch(1, 1);
        SendEntry e = batch.add();
        e.opcode = WrOpcode.SEND;
        e.flags = SendFlag.SIGNALED.code();
        e.sges().add(p.a.at(0), LENGTH, p.a.mr.lkey());
        if (receiver.type() == QpType.UD) {
            e.ah = p.lab.await(p.a.pd.createAh(AddressVector.to(p.b.host.gid())));
            e.remoteQpn = receiver.qpn();
            e.remoteQkey = Connections.QKEY;
        }
        return batch;
    }
}

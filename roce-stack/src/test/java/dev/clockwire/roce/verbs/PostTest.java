package dev.clockwire.roce.verbs;

import static dev.clockwire.roce.verbs.Rig.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostTest {
    private final Rig rig = new Rig();

    @Test
    void sendNeedsRtsOrLater() {
        QueuePair qp = rig.qp(QpType.RC);
        for (QpState state : QpState.values()) {
            rig.queue().state = state;
            if (state == QpState.RESET || state == QpState.INIT || state == QpState.RTR) {
                refused(
                        () -> qp.postSend(SendWorkRequest.send(1)),
                        Errno.EINVAL,
                        "post_send[0]: EINVAL: state is " + state + ": must be RTS, SQD, SQE or ERR");
            } else {
                rig.queue().sendSpace = 1;
                qp.postSend(SendWorkRequest.send(1));
            }
        }
        assertThat(rig.queue().sends).hasSize(4);
    }

    @Test
    void receiveNeedsInitOrLater() {
        QueuePair qp = rig.qp(QpType.RC);
        ReceiveWorkRequest wr = ReceiveWorkRequest.into(1, rig.sge(8));
        refused(() -> qp.postReceive(wr), Errno.EINVAL, "post_recv[0]: EINVAL: state is RESET: must be INIT or later");
        rig.queue().state = QpState.INIT;
        qp.postReceive(wr);
        rig.queue().state = QpState.ERR;
        qp.postReceive(wr);
        assertThat(rig.queue().receives).containsExactly(1L, 1L);
        assertThat(rig.queue().rings).isEqualTo(2);
    }

    @Test
    void operationMustExistOnTheService() {
        SendWorkRequest read = SendWorkRequest.read(1, 0, 0, rig.sge(8));
        refused(
                () -> rig.ready(QpType.UC).postSend(read),
                Errno.EINVAL,
                "post_send[0]: EINVAL: RDMA_READ is not allowed on UC");
        SendWorkRequest write = SendWorkRequest.write(1, 0, 0, rig.sge(8));
        refused(
                () -> rig.ready(QpType.UD).postSend(write),
                Errno.EINVAL,
                "post_send[0]: EINVAL: RDMA_WRITE is not allowed on UD");
        SendWorkRequest invalidate = SendWorkRequest.sendWithInv(1, 5);
        refused(
                () -> rig.ready(QpType.UC).postSend(invalidate),
                Errno.EINVAL,
                "post_send[0]: EINVAL: SEND_WITH_INV is not allowed on UC");
        rig.ready(QpType.RC).postSend(invalidate);
        rig.ready(QpType.UC).postSend(write);
    }

    @Test
    void fullQueues() {
        QueuePair qp = rig.ready(QpType.RC);
        for (int i = 0; i < 4; i++) {
            qp.postSend(SendWorkRequest.send(i));
            qp.postReceive(ReceiveWorkRequest.into(i, rig.sge(1)));
        }
        refused(
                () -> qp.postSend(SendWorkRequest.send(5)),
                Errno.ENOMEM,
                "post_send[0]: ENOMEM: send queue of 4 is full: poll a signalled completion");
        refused(
                () -> qp.postReceive(ReceiveWorkRequest.into(5, rig.sge(1))),
                Errno.ENOMEM,
                "post_recv[0]: ENOMEM: receive queue of 4 is full");
    }

    @Test
    void tooManySges() {
        QueuePair qp = rig.ready(QpType.RC);
        ScatterGather sge = rig.sge(8);
        refused(
                () -> qp.postSend(SendWorkRequest.send(1, sge, sge, sge)),
                Errno.ENOMEM,
                "post_send[0]: ENOMEM: 3 SGEs: must be 0..2");
        refused(
                () -> qp.postReceive(new ReceiveWorkRequest(1, List.of(sge, sge, sge))),
                Errno.EINVAL,
                "post_recv[0]: EINVAL: 3 SGEs: must be 0..2");
        qp.postSend(SendWorkRequest.send(1, sge, sge));
    }

    @Test
    void inlineData() {
        QueuePair qp = rig.ready(QpType.RC);
        refused(
                () -> qp.postSend(SendWorkRequest.send(1, rig.sge(65)).withFlags(SendFlag.INLINE)),
                Errno.ENOMEM,
                "post_send[0]: ENOMEM: 65 inline bytes: must be 0..64");
        refused(
                () -> qp.postSend(SendWorkRequest.read(1, 0, 0, rig.sge(8)).withFlags(SendFlag.INLINE)),
                Errno.EINVAL,
                "post_send[0]: EINVAL: RDMA_READ cannot be inline: only SEND and WRITE carry data");
        qp.postSend(SendWorkRequest.write(1, 0, 0, rig.sge(64)).withFlags(SendFlag.INLINE));
    }

    @Test
    void fenceIsForReliableConnections() {
        SendWorkRequest fenced = SendWorkRequest.send(1).withFlags(SendFlag.FENCE);
        rig.ready(QpType.RC).postSend(fenced);
        refused(
                () -> rig.ready(QpType.UC).postSend(fenced),
                Errno.EINVAL,
                "post_send[0]: EINVAL: FENCE on UC: only RC has READs and atomics to wait for");
    }

    @Test
    void atomicsHaveEightBytes() {
        QueuePair qp = rig.ready(QpType.RC);
        refused(
                () -> qp.postSend(SendWorkRequest.fetchAndAdd(1, 0, 0, 1, rig.sge(4))),
                Errno.EINVAL,
                "post_send[0]: EINVAL: 4 bytes for the result of ATOMIC_FETCH_AND_ADD: must be 8");
        qp.postSend(SendWorkRequest.compareAndSwap(1, 0, 0, 1, 2, rig.sge(8)));
    }

    @Test
    void readsNeedAllowance() {
        QueuePair qp = rig.qp(QpType.RC);
        qp.modify(Rig.toInit(QpType.RC)).get();
        qp.modify(Rig.toRtr(QpType.RC)).get();
        qp.modify(Rig.toRts(QpType.RC).maxRdAtomic(0)).get();
        refused(
                () -> qp.postSend(SendWorkRequest.read(1, 0, 0, rig.sge(8))),
                Errno.EINVAL,
                "post_send[0]: EINVAL: RDMA_READ needs a max_rd_atomic of at least 1");
    }

    @Test
    void datagramsNeedAnAddress() {
        QueuePair qp = rig.ready(QpType.UD);
        String text = "post_send[0]: EINVAL: a datagram needs an address handle that is not destroyed";
        refused(() -> qp.postSend(SendWorkRequest.send(1)), Errno.EINVAL, text);
        AddressHandle ah =
                rig.pd.createAh(AddressVector.to(Gid.ofIpv4(0x0A000009))).get();
        assertThat(ah.flow().dstIpv4()).isEqualTo(0x0A000009);
        SendWorkRequest wr = SendWorkRequest.send(1).to(ah, 5, 6);
        qp.postSend(wr);
        ah.close();
        refused(() -> qp.postSend(wr), Errno.EINVAL, text);
    }

    @Test
    void badIndexNamesTheFirstThatWasNotTaken() {
        QueuePair qp = rig.ready(QpType.RC);
        SendBatch batch = new SendBatch(2, 1);
        batch.add(SendWorkRequest.send(1));
        batch.add(SendWorkRequest.sendWithImm(2, 7, rig.sge(3)));
        batch.add(SendWorkRequest.send(3, rig.sge(1), rig.sge(1), rig.sge(1)));
        batch.add(SendWorkRequest.send(4));
        VerbsException e = catchThrowableOfType(VerbsException.class, () -> qp.postSend(batch));
        assertThat(e.badIndex()).isEqualTo(2);
        assertThat(e.verb()).isEqualTo("post_send");
        assertThat(rig.queue().sends).containsExactly(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM);
        assertThat(rig.queue().rings)
                .as("one doorbell for those that were taken")
                .isEqualTo(1);
    }

    @Test
    void receiveBatchStopsAtTheFirstRefusal() {
        QueuePair qp = rig.ready(QpType.RC);
        ReceiveBatch batch = new ReceiveBatch(1, 1);
        for (int i = 0; i < 6; i++) {
            batch.add(ReceiveWorkRequest.into(i, rig.sge(1)));
        }
        VerbsException e = catchThrowableOfType(VerbsException.class, () -> qp.postReceive(batch));
        assertThat(e.badIndex()).isEqualTo(4);
        assertThat(rig.queue().receives).containsExactly(0L, 1L, 2L, 3L);
        assertThat(rig.queue().rings).isEqualTo(1);
    }

    @Test
    void batchesAreReused() {
        SendBatch batch = new SendBatch(1, 1);
        SendEntry first = batch.add();
        first.opcode = WrOpcode.RDMA_WRITE;
        first.rkey = 5;
        first.sges().add(1, 2, 3);
        first.sges().add(4, 5, 6);
        assertThat(first.sges().count()).isEqualTo(2);
        assertThat(first.sges().totalLength()).isEqualTo(7);
        assertThat(first.sges().address(1)).isEqualTo(4);
        assertThat(first.sges().lkey(0)).isEqualTo(3);
        batch.clear();
        SendEntry again = batch.add();
        assertThat(again).isSameAs(first);
        assertThat(again.opcode).isEqualTo(WrOpcode.SEND);
        assertThat(again.rkey).isZero();
        assertThat(again.sges().count()).isZero();
    }

    @Test
    void signalAllSignalsAll() {
        QpInit init = new QpInit(QpType.RC, rig.cq, rig.cq, new QpCapabilities(4, 4, 2, 2, 64), true);
        QueuePair qp = rig.pd.createQp(init).get();
        rig.queue().state = QpState.RTS;
        qp.postSend(SendWorkRequest.send(1).withFlags());
        assertThat(rig.queue().flags).containsExactly(SendFlag.SIGNALED.code());
        QueuePair other = rig.ready(QpType.RC);
        other.postSend(SendWorkRequest.send(1).withFlags(SendFlag.SOLICITED));
        assertThat(rig.queue().flags).containsExactly(SendFlag.SOLICITED.code());
    }

    @Test
    void partsOfARegion() {
        refused(
                () -> ScatterGather.of(rig.mr, 8190, 3),
                Errno.EINVAL,
                "post: EINVAL: bytes 8190..8193 of a region: it has 0..8192");
        refused(
                () -> ScatterGather.of(rig.mr, -1, 3),
                Errno.EINVAL,
                "post: EINVAL: bytes -1..2 of a region: it has 0..8192");
        refused(
                () -> new ScatterGather(0, -1, 0),
                Errno.EINVAL,
                "post: EINVAL: length -1 of an SGE: must be 0..2147483648");
        ScatterGather all = ScatterGather.of(rig.mr);
        assertThat(all.address()).isEqualTo(rig.buffer.address());
        assertThat(all.length()).isEqualTo(Rig.BUFFER);
        assertThat(all.lkey()).isEqualTo(rig.mr.lkey());
    }
}

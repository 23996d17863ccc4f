package dev.clockwire.nic.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.KeyChange;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small parts of the send engine: the notice word, counters, names of operations, the local work in front. */
class SendWordsTest {
    @ParameterizedTest
    @CsvSource({"0,0", "1,0", "0,1", "0xFFFFFE,0xFFFFFFFFFF", "0x800000,0x8000000000"})
    void aNoticeSaysQueueAndEntry(String qpn, String entry) {
        long word = SentWord.of(Integer.decode(qpn), Long.decode(entry));
        assertThat(word).as("0 is no notice").isNotZero();
        assertThat(SentWord.qpn(word)).isEqualTo(Integer.decode(qpn));
        assertThat(SentWord.entry(word)).isEqualTo(Long.decode(entry));
    }

    private static final List<ToLongFunction<SendCounters>> ALL = List.of(
            SendCounters::packetSeqErr,
            SendCounters::impliedNakSeqErr,
            SendCounters::localAckTimeoutErr,
            SendCounters::rnrNakRetryErr,
            SendCounters::retriesExceeded,
            SendCounters::rnrRetriesExceeded,
            SendCounters::remoteAccessErrors,
            SendCounters::remoteInvalidRequest,
            SendCounters::cqeError,
            SendCounters::cqeFlushError,
            SendCounters::cnpHandled,
            SendCounters::cnpLost);

    private static long[] values(SendCounters c) {
        return ALL.stream().mapToLong(f -> f.applyAsLong(c)).toArray();
    }

    private static RocePacket answer(Opcode opcode, int syndrome) {
        RocePacket p = new RocePacket();
        p.opcode = opcode.code();
        p.syndrome = syndrome;
        return p;
    }

    @Test
    void eachTroubleIsCountedUnderItsOwnName() {
        SendCounters c = new SendCounters();
        c.retry(answer(Opcode.RC_ACKNOWLEDGE, Syndrome.NAK_SEQUENCE));
        assertThat(values(c)).containsExactly(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        c.retry(answer(Opcode.RC_ACKNOWLEDGE, 0));
        c.retry(answer(Opcode.RC_RDMA_READ_RESPONSE_ONLY, Syndrome.NAK_SEQUENCE));
        assertThat(values(c)).startsWith(1, 2, 0);
        c.timeout();
        c.receiverNotReady();
        c.receiverNotReady();
        c.error(WcStatus.RETRY_EXC_ERR);
        c.error(WcStatus.RNR_RETRY_EXC_ERR);
        c.error(WcStatus.REM_ACCESS_ERR);
        c.error(WcStatus.REM_INV_REQ_ERR);
        c.error(WcStatus.WR_FLUSH_ERR);
        c.error(WcStatus.WR_FLUSH_ERR);
        c.error(WcStatus.LOC_PROT_ERR);
        c.notified(true);
        c.notified(false);
        c.notified(false);
        c.notified(false);
        long[] all = {1, 2, 1, 2, 1, 1, 1, 1, 7, 2, 1, 3};
        assertThat(values(c)).isEqualTo(all);
        Snapshot saved = new Snapshot();
        c.save(saved);
        saved.rewind();
        SendCounters copy = new SendCounters();
        copy.timeout();
        copy.load(saved);
        assertThat(values(copy)).isEqualTo(all);
    }

    @ParameterizedTest
    @CsvSource({
        "1,SEND_WITH_INV",
        "8,RDMA_WRITE",
        "9,RDMA_WRITE_WITH_IMM",
        "10,SEND",
        "11,SEND_WITH_IMM",
        "16,RDMA_READ",
        "17,ATOMIC_CMP_AND_SWP",
        "18,ATOMIC_FETCH_AND_ADD",
        "27,LOCAL_INV",
        "37,BIND_MW"
    })
    void opcodesHaveTheTransportsNames(int opcode, WrOpcode name) {
        assertThat(WorkParser.operation(opcode)).isEqualTo(name);
    }

    @Test
    void otherOpcodesHaveNone() {
        assertThat(WorkParser.operation(WqeOpcode.NOP)).isNull();
        assertThat(WorkParser.operation(WqeOpcode.WAIT)).isNull();
        assertThat(WorkParser.operation(0x55)).isNull();
    }

    private static LocalWork again(LocalWork w) {
        Snapshot saved = new Snapshot();
        w.save(saved);
        saved.rewind();
        LocalWork copy = new LocalWork();
        copy.load(saved);
        return copy;
    }

    @Test
    void aKeyChangeIsAskedForAndOverWithItsAnswer() {
        LocalWork w = new LocalWork();
        assertThat(w.isIdle()).isTrue();
        w.done(true);
        assertThat(w.isIdle()).as("an answer to what was flushed").isTrue();
        Wqe bind = new Wqe();
        bind.opcode = WqeOpcode.UMR;
        bind.rkey = 1;
        bind.imm = 2;
        bind.windowLkey = 3;
        bind.remoteVa = 4;
        bind.windowLength = 5;
        bind.windowAccess = 6;
        KeyChange change = new KeyChange();
        change.remote = true;
        w.start(bind, change);
        assertThat(change.bind).isTrue();
        assertThat(change.remote).isFalse();
        assertThat(new long[] {change.key, change.region, change.va, change.length, change.access})
                .containsExactly(1, 3, 4, 5, 6);
        assertThat(w.isIdle()).isFalse();
        assertThat(w.isOver()).isFalse();
        w.released(0, true);
        assertThat(w.isOver()).as("that was the answer to a WAIT").isFalse();
        w = again(w);
        w.done(true);
        assertThat(w.isOver()).isTrue();
        assertThat(w.succeeded()).isTrue();
        w.reset();
        assertThat(w.isIdle()).isTrue();
        bind.opcode = WqeOpcode.LOCAL_INVAL;
        assertThat(w.start(bind, change).bind).isFalse();
        assertThat(change.key).isEqualTo(2);
        w.done(false);
        assertThat(w.isOver()).isTrue();
        assertThat(again(w).succeeded()).isFalse();
    }

    @Test
    void aWaitHearsOnlyItsOwnAnswer() {
        LocalWork w = new LocalWork();
        w.waits(7);
        assertThat(w.isIdle()).isFalse();
        w.done(true);
        w.released(6, true);
        assertThat(w.isOver()).isFalse();
        LocalWork copy = again(w);
        copy.released(7, false);
        assertThat(copy.isOver()).isTrue();
        assertThat(copy.succeeded()).isFalse();
        w.released(7, true);
        assertThat(w.succeeded()).isTrue();
        w.released(7, false);
        assertThat(w.succeeded()).as("a second answer").isTrue();
    }

    @Test
    void whatNeedsNoAnswerIsOverAtOnce() {
        LocalWork w = new LocalWork();
        w.ends(true);
        assertThat(w.isOver()).isTrue();
        assertThat(w.succeeded()).isTrue();
        w.ends(false);
        assertThat(w.isOver()).isTrue();
        assertThat(w.succeeded()).isFalse();
    }
}

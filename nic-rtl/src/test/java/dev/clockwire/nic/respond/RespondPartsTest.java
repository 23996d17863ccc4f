package dev.clockwire.nic.respond;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.context.SrqContext;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.CqeSyndrome;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.profile.QueueSpec;
import dev.clockwire.nic.sched.QpArbiter;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.RequestDecision;
import dev.clockwire.roce.transport.ResponderEnv;
import dev.clockwire.roce.transport.ResponderSpec;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of responder and response engine, each alone: receives, rights, answers that are owed. */
class RespondPartsTest {
    private static final int STRIDE = 32;
    private static final int END = 0x100;
    private static final int PD = 4;
    private static final int READ = AccessFlag.REMOTE_READ.code();
    private static final int WRITE = AccessFlag.REMOTE_WRITE.code();
    private static final int LOCAL = AccessFlag.LOCAL_WRITE.code();

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private final ContextTable table = new ContextTable();
    private final DeviceParts parts =
            LoneParts.of(sim, clock, Profiles.named("cx7-400g").with("nic.rx.ack_cycles", "6"), table);
    private final QpContext qp = new QpContext(0x55, QpType.RC, PD, 0, 4, 0x8000, 3, STRIDE, 0x9000, 10, 11);

    RespondPartsTest() {
        table.setUars(64);
        table.add(qp);
        qp.responder = ResponderSpec.of(QpType.RC, 1024, 0x66);
    }

    private static <T extends State> T move(T from, T to) {
        Snapshot saved = new Snapshot();
        from.save(saved);
        saved.putLong(4711);
        saved.rewind();
        to.load(saved);
        assertThat(saved.getLong()).as("what stands behind it").isEqualTo(4711);
        return to;
    }

    /** Bytes of receive WQEs of two segments; pairs of length and key, the address is 1000 times the place. */
    private static Payload wqes(int... segments) {
        ByteBuffer b = ByteBuffer.allocate(segments.length * 8);
        for (int i = 0; i < segments.length; i += 2) {
            b.putInt(segments[i]).putInt(segments[i + 1]).putLong(1000L * (i / 2 + 1));
        }
        Payload p = new Payload();
        p.appendBytes(b.array(), 0, b.capacity());
        return p;
    }

    @Test
    void receivesAreReadAndUsedInOrder() {
        ReceiveWqes w = new ReceiveWqes(qp);
        assertThat(w.exists()).isTrue();
        assertThat(w.shared).isFalse();
        assertThat(w.segments()).isEqualTo(2);
        assertThat(w.available()).isZero();
        assertThat(w.posted()).isZero();
        w.producer = 3;
        assertThat(w.posted()).isEqualTo(3);
        w.add(wqes(100, 7, 200, 8, 0, 9, 5, END, 6, END, 50, 3));
        assertThat(w.available()).isEqualTo(3);
        assertThat(w.posted()).isZero();
        ReceiveWqes copy = move(w, new ReceiveWqes(qp));
        for (ReceiveWqes x : new ReceiveWqes[] {w, copy}) {
            assertThat(new long[] {x.length(0), x.length(1), x.va(0), x.va(1), x.lkey(0), x.lkey(1)})
                    .containsExactly(100, 200, 1000, 2000, 7, 8);
            x.next();
            assertThat(x.length(0)).as("a count of 0 is 2 GB").isEqualTo(1L << 31);
            assertThat(x.length(1)).as("the terminator").isZero();
            x.next();
            assertThat(x.length(0)).isZero();
            assertThat(x.length(1)).as("left over behind the terminator").isZero();
            assertThat(x.available()).isEqualTo(1);
            x.next();
            assertThat(x.available()).isZero();
        }
    }

    /** Reads end at the end of the ring, and there is room for 32. */
    @ParameterizedTest
    @CsvSource({
        "0,0,5,3,5",
        "0,0,9,3,8",
        "6,6,9,3,2",
        "7,7,9,3,1",
        "8,8,9,3,1",
        "0,0,100,10,32",
        "0,20,100,10,12",
        "65535,65535,5,3,1",
        "65534,65535,5,10,1"
    })
    void aReadIsInOnePiece(int consumed, int fetched, int producer, int log, int wqes) {
        QpContext other = new QpContext(0x77, QpType.RC, PD, 0, 4, 0x8000, log, STRIDE, 0x9000, 10, 11);
        ReceiveWqes w = new ReceiveWqes(other);
        w.consumed = consumed;
        w.fetched = fetched;
        w.producer = producer;
        assertThat(w.nextRead()).isEqualTo(wqes);
    }

    @Test
    void countersHaveSixteenBits() {
        ReceiveWqes w = new ReceiveWqes(qp);
        w.consumed = 0xFFFF;
        w.fetched = 0xFFFF;
        w.producer = 1;
        assertThat(w.posted()).isEqualTo(2);
        w.add(wqes(1, 7, 2, 8));
        assertThat(w.fetched).isZero();
        assertThat(w.available()).isEqualTo(1);
        assertThat(w.length(1)).isEqualTo(2);
        w.next();
        assertThat(w.consumed).isZero();
        assertThat(w.available()).isZero();
    }

    @Test
    void aPacketWaitsForWhatTheRecordSays() {
        ReceiveWqes w = new ReceiveWqes(qp);
        assertThat(w.maySupply()).isTrue();
        assertThat(w.mustAsk()).isFalse();
        w.waited = true;
        w.asked = true;
        assertThat(w.mustAsk()).isTrue();
        w.foundNone = true;
        assertThat(w.mustAsk()).isFalse();
        assertThat(w.maySupply()).isFalse();
        w.endWait();
        assertThat(w.waited || w.asked || w.foundNone).isFalse();
        w.waited = true;
        w.fetched = 1;
        assertThat(w.mustAsk()).as("one is here").isFalse();
        assertThat(w.maySupply()).isFalse();
        QpContext without = new QpContext(0x77, QpType.RC, PD, 0, 4, 0, -1, STRIDE, 0x9000, 10, 11);
        assertThat(new ReceiveWqes(without).exists()).isFalse();
        assertThat(new ReceiveWqes(without).maySupply()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void flagsOfAReceiveRingAreInTheSnapshot(int which) {
        ReceiveWqes w = new ReceiveWqes(qp);
        w.fetching = which == 0;
        w.foundNone = which == 1;
        w.waited = which == 2;
        w.asked = which == 3;
        w.limit = 9;
        ReceiveWqes c = move(w, new ReceiveWqes(qp));
        assertThat(new boolean[] {c.fetching, c.foundNone, c.waited, c.asked})
                .containsExactly(which == 0, which == 1, which == 2, which == 3);
        assertThat(c.limit).isEqualTo(9);
    }

    @Test
    void aLimitCountsWhatIsHereAndPosted() {
        ReceiveWqes w = new ReceiveWqes(qp);
        w.fetched = 2;
        w.producer = 5;
        assertThat(w.belowLimit()).as("none is wanted").isFalse();
        w.limit = 5;
        assertThat(w.belowLimit()).isFalse();
        w.limit = 6;
        assertThat(w.belowLimit()).isTrue();
    }

    @Test
    void anOwnRingKeepsTheWqeInUseInFront() {
        ReceiveQueue q = new ReceiveQueue(qp, new ReceiveWqes(qp));
        assertThat(q.hasReceive()).isFalse();
        assertThat(q.posted()).isZero();
        q.wqes.producer = 3;
        q.wqes.add(wqes(100, 7, 200, 8, 5, 9, 0, END));
        assertThat(q.posted()).isEqualTo(3);
        assertThat(q.hasReceive()).isTrue();
        assertThat(q.isHolding()).isFalse();
        assertThat(q.capacity()).isEqualTo(300);
        assertThat(q.counter()).isZero();
        assertThat(move(q, new ReceiveQueue(qp, new ReceiveWqes(qp))).capacity())
                .isEqualTo(300);
        q.complete();
        assertThat(q.counter()).isEqualTo(1);
        assertThat(q.capacity()).isEqualTo(5);
        assertThat(q.posted()).isEqualTo(2);
    }

    @Test
    void aWqeOfASharedRingIsCopied() {
        ReceiveWqes ring = new ReceiveWqes(new SrqContext(3, 0x8000, 3, STRIDE, 0x9000));
        assertThat(ring.shared).isTrue();
        assertThat(ring.id).isEqualTo(3);
        ring.producer = 2;
        ring.add(wqes(100, 7, 0x80000000, 8, 5, 9, 6, 10));
        ReceiveQueue a = new ReceiveQueue(qp, ring);
        ReceiveQueue b = new ReceiveQueue(qp, ring);
        assertThat(a.posted()).isEqualTo(-1);
        assertThat(a.hasReceive()).isTrue();
        a.take();
        assertThat(a.isHolding()).isTrue();
        assertThat(a.counter()).isZero();
        b.take();
        assertThat(b.counter()).isEqualTo(1);
        assertThat(b.capacity()).isEqualTo(11);
        ReceiveQueue copy = move(a, new ReceiveQueue(qp, ring));
        for (ReceiveQueue x : new ReceiveQueue[] {a, copy}) {
            assertThat(x.isHolding()).isTrue();
            assertThat(x.hasReceive()).isTrue();
            assertThat(x.capacity()).isEqualTo(100 + (1L << 31));
            assertThat(new long[] {x.va(1), x.lkey(1), x.length(0)}).containsExactly(2000, 8, 100);
            x.complete();
            assertThat(x.isHolding()).isFalse();
            assertThat(x.hasReceive()).as("the ring is empty").isFalse();
        }
        assertThat(ring.consumed).as("completion frees nothing twice").isEqualTo(2);
    }

    @Test
    void aConnectionBeginsOnceAndAnew() {
        ReceiveQueue q = new ReceiveQueue(qp, new ReceiveWqes(qp));
        assertThat(q.isConnected()).isFalse();
        q.modified();
        int connection = q.connected().connection();
        assertThat(q.isConnected()).isTrue();
        assertThat(q.connected().connection()).isEqualTo(connection);
        assertThat(q.connected().mtu()).isEqualTo(1024);
        qp.responder = ResponderSpec.of(QpType.RC, 4096, 0x66).withFirstPsn(77);
        q.modified();
        q.established = true;
        q.toldLast = true;
        ReceiveQueue copy = move(q, new ReceiveQueue(qp, new ReceiveWqes(qp)));
        assertThat(copy.isConnected() && copy.established && copy.toldLast).isTrue();
        q.restart();
        assertThat(q.isConnected() || q.established || q.toldLast).isFalse();
        assertThat(q.connected().connection()).isNotEqualTo(connection);
        assertThat(q.connected().expectedPsn()).isEqualTo(77);
        assertThat(move(q, copy).established).isFalse();
    }

    @Test
    void queuesOfAResponderAreMadeWhenTheyAreNeeded() {
        QpContext second = new QpContext(0x56, QpType.RC, PD, 0, 4, 0x8000, 3, STRIDE, 0x9000, 10, 11);
        QpContext third = new QpContext(0x57, QpType.RC, PD, 0, 4, 0, -1, STRIDE, 0x9000, 10, 11);
        table.add(new SrqContext(0, 1, 2, 16, 3));
        table.add(new SrqContext(1, 1, 2, STRIDE, 3));
        third.srq = table.srq(1);
        table.add(second);
        table.add(third);
        RespondState s = new RespondState(table);
        ReceiveQueue q = s.queue(0x57);
        assertThat(q).isSameAs(s.at(2));
        assertThat(q.wqes).isSameAs(s.shared(1));
        assertThat(q.wqes.id).isEqualTo(1);
        s.shared(1).limit = 5;
        q.established = true;
        s.flush.add(2);
        s.flush.add(0);
        s.bytesInFlight = 1;
        s.outOfSequence = 2;
        s.duplicates = 3;
        s.resourceErrors = 4;
        s.refused = 5;
        s.dropped = 6;
        RespondState other = new RespondState(table);
        other.at(1).established = true;
        other.flush.add(7);
        RespondState c = move(s, other);
        assertThat(c.at(2).established).isTrue();
        assertThat(c.at(1).established).as("there was none").isFalse();
        assertThat(c.shared(1).limit).isEqualTo(5);
        assertThat(c.at(2).wqes).isSameAs(c.shared(1));
        assertThat(c.flush.size()).isEqualTo(2);
        assertThat(c.flush.next()).isEqualTo(2);
        assertThat(new long[] {c.bytesInFlight, c.outOfSequence, c.duplicates, c.resourceErrors, c.refused, c.dropped})
                .containsExactly(1, 2, 3, 4, 5, 6);
    }

    @Test
    void rightsOfAPeer() {
        table.keys().addRegion(0x100, PD, 0x5000, 100, 0x9000, READ | LOCAL);
        RemoteAccess access = new RemoteAccess(table).of(new ReceiveQueue(qp, new ReceiveWqes(qp)));
        assertThat(access.checkRemote(0x100, 0x5000, 100, READ)).isEqualTo(ResponderEnv.GRANTED);
        assertThat(access.checkRemote(0x100, 0x5000, 101, READ)).isEqualTo(Syndrome.NAK_REMOTE_ACCESS);
        assertThat(access.checkRemote(0x100, 0x5000, 1, WRITE)).isEqualTo(Syndrome.NAK_REMOTE_ACCESS);
        assertThat(access.physical(0x100, 0x5010, 8, AccessFlag.REMOTE_READ)).isEqualTo(0x9010);
        assertThat(access.physical(0x100, 0x5010, 8, AccessFlag.REMOTE_WRITE)).isEqualTo(RemoteAccess.GONE);
        assertThat(access.mayInvalidate(0x100))
                .as("a region is nobody's to take away")
                .isFalse();
    }

    @Test
    void receiveBuffersMustBeWritable() {
        table.keys().addRegion(0x300, PD, 0x0, 10_000, 0x90000, LOCAL);
        table.keys().addRegion(0x200, PD, 0x0, 10_000, 0x90000, READ);
        ReceiveQueue q = new ReceiveQueue(qp, new ReceiveWqes(qp));
        RemoteAccess access = new RemoteAccess(table).of(q);
        assertThat(access.receiveAvailable()).isFalse();
        assertThat(access.receivesPosted()).isZero();
        assertThat(access.receiveCapacity()).as("nobody knows yet").isEqualTo(Long.MAX_VALUE);
        q.wqes.producer = 4;
        q.wqes.add(wqes(100, 0x300, 50, 0x300, 100, 0x200, 50, 0x300, 100, 0x300, 0, END));
        assertThat(access.receiveAvailable()).isTrue();
        assertThat(access.receivesPosted()).isEqualTo(4);
        assertThat(access.receiveCapacity()).isEqualTo(150);
        assertThat(access.localWritable()).isTrue();
        assertThat(access.segment(0)).isEqualTo(0x90000 + 1000);
        assertThat(access.segment(1)).isEqualTo(0x90000 + 2000);
        q.complete();
        assertThat(access.localWritable()).as("no right to write").isFalse();
        q.complete();
        assertThat(access.localWritable()).as("an empty segment has no key").isTrue();
    }

    private static RequestDecision decision(RequestDecision.Action action) {
        RequestDecision d = new RequestDecision();
        d.action = action;
        d.ackPsn = 21;
        d.syndrome = 22;
        d.msn = 23;
        d.va = 24;
        d.rkey = 25;
        d.length = 26;
        d.resource = 27;
        d.responses = 28;
        d.compareSwap = true;
        d.swapAdd = 29;
        d.compare = 30;
        d.original = 31;
        return d;
    }

    @Test
    void anAnswerIsWhatWasDecidedAndDueAfterTheAckGenerator() {
        ReceiveQueue q = new ReceiveQueue(qp, new ReceiveWqes(qp));
        RocePacket packet = new RocePacket();
        packet.journey = 99;
        RespondState s = new RespondState(table);
        Owed owed = new Owed(new Pool<>(ResponseJob::new), parts, s);
        ResponseJob ack = owed.acknowledge(q, packet, decision(RequestDecision.Action.DROP), 1000);
        assertThat(ack.kind).isEqualTo(ResponseJob.ACK);
        assertThat(new long[] {ack.qpn, ack.psn, ack.syndrome, ack.msn, ack.due, ack.journey})
                .containsExactly(0x55, 21, 22, 23, 1006, 99);
        assertThat(ack.flow).isSameAs(qp.flow);
        assertThat(ack.isOld()).isFalse();
        ResponseJob read = owed.read(q, packet, decision(RequestDecision.Action.READ), 0);
        assertThat(read.kind).isEqualTo(ResponseJob.READ);
        assertThat(new long[] {read.resource, read.va, read.rkey, read.length, read.next, read.end})
                .containsExactly(27, 24, 25, 26, 0, 28);
        ResponseJob again = owed.read(q, packet, decision(RequestDecision.Action.REREAD), 0);
        assertThat(again.resource).as("a repetition keeps nothing").isEqualTo(ResponseJob.NONE);
        ResponseJob atomic = owed.atomic(q, packet, decision(RequestDecision.Action.ATOMIC), 0);
        assertThat(atomic.kind).isEqualTo(ResponseJob.ATOMIC);
        assertThat(new long[] {atomic.va, atomic.rkey, atomic.resource, atomic.swapAdd, atomic.compare, atomic.original
                })
                .containsExactly(24, 25, 27, 29, 30, 31);
        assertThat(atomic.compareSwap).isTrue();
        assertThat(s.duplicates).isZero();
        RequestDecision replay = decision(RequestDecision.Action.REPLAY_ATOMIC);
        assertThat(owed.atomic(q, packet, replay, 0).kind).isEqualTo(ResponseJob.ATOMIC_REPLAY);
        replay.unfinished = true;
        assertThat(owed.atomic(q, packet, replay, 0).kind).isEqualTo(ResponseJob.ATOMIC_AGAIN);
        assertThat(s.duplicates).isEqualTo(2);
        q.connected();
        q.restart();
        assertThat(ack.isOld()).as("the connection has ended").isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "SUCCESS,false,false,false,2",
        "SUCCESS,false,true,false,3",
        "SUCCESS,false,false,true,4",
        "SUCCESS,true,true,false,1",
        "LOC_LEN_ERR,true,true,false,14"
    })
    void aReceiveCompletes(WcStatus status, boolean ofWrite, boolean imm, boolean invalidate, int opcode) {
        RequestDecision d = new RequestDecision();
        d.receiveStatus = status;
        d.receiveOfWrite = ofWrite;
        d.hasImm = imm;
        d.hasInvalidate = invalidate;
        d.byteLength = 1L << 31;
        d.immOrKey = 41;
        d.solicited = true;
        RocePacket packet = new RocePacket();
        packet.srcQp = 42;
        packet.journey = 43;
        Owed owed = new Owed(new Pool<>(ResponseJob::new), parts, new RespondState(table));
        Completion used = new Completion();
        used.hash = 1;
        used.wqeOpcode = 9;
        parts.completions().give(used);
        Completion c = owed.completion(qp, packet, d, 44, 45);
        assertThat(new long[] {c.opcode, c.cqn, c.qpn, c.wqeCounter, c.byteCount, c.imm, c.srcQp, c.journey, c.donePs})
                .containsExactly(opcode, 11, 0x55, 44, Integer.MIN_VALUE, 41, 42, 43, 45);
        assertThat(c.solicited).isTrue();
        assertThat(c.syndrome).isEqualTo(CqeSyndrome.of(status));
        assertThat(c.hash).as("the object was of a frame").isZero();
        assertThat(c.wqeOpcode).isZero();
    }

    @Test
    void aFlushedReceiveIsAnErrorOfItsOwnCounter() {
        ReceiveQueue q = new ReceiveQueue(qp, new ReceiveWqes(qp));
        q.wqes.consumed = 7;
        Completion used = new Completion();
        used.hash = 1;
        used.imm = 2;
        used.byteCount = 3;
        used.srcQp = 4;
        used.solicited = true;
        used.journey = 5;
        used.wqeOpcode = 6;
        parts.completions().give(used);
        Completion c = new Owed(new Pool<>(ResponseJob::new), parts, new RespondState(table)).flushed(q, 50);
        assertThat(c).isSameAs(used);
        assertThat(c.opcode).isEqualTo(Cqe.RESP_ERR);
        assertThat(c.syndrome).isEqualTo(CqeSyndrome.of(WcStatus.WR_FLUSH_ERR));
        assertThat(new long[] {c.cqn, c.qpn, c.wqeCounter, c.donePs}).containsExactly(11, 0x55, 7, 50);
        assertThat(new long[] {c.hash, c.imm, c.byteCount, c.srcQp, c.journey, c.wqeOpcode})
                .containsOnly(0);
        assertThat(c.solicited).isFalse();
    }

    private static ResponseJob job(int qpn) {
        ResponseJob j = new ResponseJob();
        j.kind = ResponseJob.READ;
        j.qpn = qpn;
        j.psn = 1;
        j.syndrome = 2;
        j.msn = 3;
        j.va = 4;
        j.rkey = 5;
        j.length = 6;
        j.next = 7;
        j.end = 8;
        j.resource = 9;
        j.compareSwap = true;
        j.swapAdd = 10;
        j.compare = 11;
        j.original = 12;
        j.due = 13;
        j.connection = 14;
        return j;
    }

    /** Behind a write that failed every answer would acknowledge it: the write's packet is refused instead. */
    @Test
    void anAnswerBehindAFailedWriteRefusesIt() {
        ReceiveQueue q = new ReceiveQueue(qp, new ReceiveWqes(qp));
        ResponseJob j = job(0x55);
        assertThat(j.isOld()).as("nobody's").isTrue();
        j.unplaced(true, 77);
        assertThat(j.kind).isEqualTo(ResponseJob.READ);
        j.state = q.connected();
        j.connection = q.connected().connection();
        assertThat(j.isOld()).isFalse();
        assertThat(j.isEnd()).isFalse();
        assertThat(j.queuePair()).isEqualTo(0x55);
        j.unplaced(false, 77);
        assertThat(new int[] {j.kind, j.psn, j.syndrome})
                .containsExactly(ResponseJob.ACK, 77, Syndrome.NAK_REMOTE_OPERATION);
        j.connection++;
        assertThat(j.isOld()).isTrue();
    }

    @Test
    void aCopyOfAJobIsTheSame() {
        ResponseJob c = job(3).copy();
        assertThat(new long[] {
                    c.kind,
                    c.qpn,
                    c.psn,
                    c.syndrome,
                    c.msn,
                    c.va,
                    c.rkey,
                    c.length,
                    c.next,
                    c.end,
                    c.resource,
                    c.swapAdd,
                    c.compare,
                    c.original,
                    c.due,
                    c.connection
                })
                .containsExactly(ResponseJob.READ, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
        assertThat(c.compareSwap).isTrue();
    }

    @Test
    void answersAndResultsOfAtomicsAreKept() {
        ResponseState s = new ResponseState(QpArbiter.of(QueueSpec.Policy.RR, table));
        s.queue(2).add(job(5));
        s.keep(3, 0, 71);
        s.keep(3, 127, 72);
        s.keep(1, 5, 73);
        s.work.add(2);
        s.atomic = job(9);
        s.atomicSlot = 3;
        s.atomicDue = 4;
        s.operand.address = 5;
        ResponseState other = new ResponseState(QpArbiter.of(QueueSpec.Policy.RR, table));
        other.queue(5).add(job(1));
        other.keep(7, 1, 1);
        ResponseState c = move(s, other);
        assertThat(c.result(3, 0)).isEqualTo(71);
        assertThat(c.result(3, 127)).isEqualTo(72);
        assertThat(c.result(1, 5)).isEqualTo(73);
        assertThat(c.queue(2).first().qpn).isEqualTo(5);
        assertThat(c.queue(0).size()).isZero();
        assertThat(c.queue(5).size()).isZero();
        assertThat(c.work.next()).isEqualTo(2);
        assertThat(Objects.requireNonNull(c.atomic).qpn).isEqualTo(9);
        assertThat(new long[] {c.atomicSlot, c.atomicDue, c.operand.address}).containsExactly(3, 4, 5);
    }
}

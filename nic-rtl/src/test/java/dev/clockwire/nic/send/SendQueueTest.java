package dev.clockwire.nic.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.dma.PayloadEngine;
import dev.clockwire.nic.dma.TxSlot;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.profile.QueueSpec;
import dev.clockwire.nic.sched.QpArbiter;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.Requester;
import dev.clockwire.roce.transport.RequesterSpec;
import dev.clockwire.roce.transport.SendWork;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.JourneyLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of the send engine around one queue pair, each alone: rings, timers, checks of WQEs, what is asked of memory. */
class SendQueueTest {
    private static final int PD = 3;
    private static final int QPN = 0x77;
    private static final long SQ = 0x8000;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private final ContextTable table = new ContextTable();
    private final DeviceParts parts = LoneParts.of(sim, clock, Profiles.named("cx7-400g"), table);
    private final SimModule owner = new SimModule(sim.root(), "owner", clock) {
        @Override
        protected boolean tick(long cycle) {
            return false;
        }
    };
    private final List<String> events = new ArrayList<>();
    private final List<DmaRead> asked = new ArrayList<>();
    private final Inlet<DmaRead> replies = new Inlet<>(owner, "replies", 64, 1);
    private final EventPort port = new EventPort(owner, "port") {
        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (token instanceof DmaRead r) {
                asked.add(r);
            } else {
                assertThat(kind).isEqualTo(4);
                events.add(now() + (timers.expired(Objects.requireNonNull(timed)) ? " over" : ""));
            }
        }
    };

    private final AckTimers timers = new AckTimers(port, 4);
    /** Whose timer it is. */
    private @Nullable SendQueue timed;

    private QpContext qp(QpType type, int logBlocks) {
        QpContext qp = new QpContext(QPN, type, PD, SQ, logBlocks, 0, 3, 16, 0, 1, 2);
        table.setUars(8);
        table.add(qp);
        qp.state = QpState.RTS;
        qp.requester = RequesterSpec.of(type, 1024, QPN, 0x78);
        return qp;
    }

    private SendQueue queue() {
        return new SendQueue(qp(QpType.RC, 4), parts.spec());
    }

    private static Wqe wqe(int index, int blocks) {
        Wqe w = new Wqe();
        w.index = index;
        w.blocks = blocks;
        return w;
    }

    /** Admits a WRITE of so many bytes. */
    private static long admit(SendQueue q, long bytes) {
        SendWork work = new SendWork();
        work.opcode = WrOpcode.RDMA_WRITE;
        work.length = bytes;
        return Requester.admit(q.connected(16), work);
    }

    private static SendQueue again(SendQueue q, DeviceParts parts) {
        Snapshot saved = new Snapshot();
        q.save(saved);
        saved.putLong(4711);
        saved.rewind();
        SendQueue c = new SendQueue(q.qp, parts.spec());
        c.addWaiting(wqe(99, 1));
        c.load(saved);
        assertThat(saved.getLong()).isEqualTo(4711);
        return c;
    }

    /** 128 WQEs may wait; the index behind the newest one taken has 16 bits. */
    @Test
    void wqesWaitInOrder() {
        SendQueue q = queue();
        assertThat(q.hasWork()).isFalse();
        int next = 0;
        int first = 0;
        for (int round = 0; round < 4; round++) {
            while (q.waitingCount < 128) {
                q.addWaiting(wqe(next++ * 3 & 0xFFFF, 3));
            }
            SendQueue c = again(q, parts);
            assertThat(c.waitingCount).isEqualTo(128);
            for (int i = first; i < next; i++) {
                assertThat(c.removeWaiting().index).isEqualTo(i * 3 & 0xFFFF);
            }
            for (int i = 0; i < 50; i++) {
                assertThat(q.firstWaiting().index).isEqualTo(first * 3 & 0xFFFF);
                assertThat(q.removeWaiting().index).isEqualTo(first++ * 3 & 0xFFFF);
                assertThat(q.taken).isEqualTo(first * 3 & 0xFFFF);
            }
        }
        assertThat(q.hasWork()).isTrue();
        q.addWaiting(wqe(0xFFFE, 3));
        while (q.waitingCount > 0) {
            q.removeWaiting();
        }
        assertThat(q.taken).isEqualTo(1);
        assertThat(q.hasWork()).isFalse();
    }

    @Test
    void wqesInFlightStandInARing() {
        SendQueue q = queue();
        for (long entry = 0; entry < 16; entry++) {
            assertThat(q.full()).isFalse();
            assertThat(admit(q, 5000)).isEqualTo(entry);
            q.setInFlight(entry, wqe((int) entry, 1));
        }
        assertThat(q.full()).isTrue();
        assertThat(q.idle()).isFalse();
        assertThat(q.allMade()).isFalse();
        SendQueue c = again(q, parts);
        assertThat(c.full()).isTrue();
        assertThat(c.removeInFlight(15).index).isEqualTo(15);
        q.setInFlight(16, wqe(100, 1));
        assertThat(q.inFlight(0).index).as("the same place").isEqualTo(100);
        q.issueEntry = 16;
        assertThat(q.allMade()).isTrue();
        q.reported = 1;
        assertThat(q.full()).isFalse();
        q.reported = 16;
        assertThat(q.idle()).isTrue();
    }

    @Test
    void aQueueThatGoesBackMakesAgainWhatTheTransportAsksFor() {
        SendQueue q = queue();
        admit(q, 5000);
        admit(q, 100);
        q.issueEntry = 2;
        q.issuePacket = 0;
        q.latched = 5;
        q.pacedSince = 7;
        assertThat(q.isRewound()).isFalse();
        q.goBack(true);
        assertThat(q.issueEntry).isZero();
        assertThat(q.issuePacket).isZero();
        assertThat(q.isRewound()).isTrue();
        assertThat(q.rewoundByReceiver).isTrue();
        assertThat(q.latched).isEqualTo(SendQueue.NOTHING);
        assertThat(q.pacedSince).isEqualTo(SendQueue.NOTHING);
        assertThat(again(q, parts).isRewound()).isTrue();
        q.issueEntry = 1;
        assertThat(q.isRewound()).isTrue();
        q.issueEntry = 2;
        assertThat(q.isRewound()).as("new again").isFalse();
        q.goBack(false);
        assertThat(q.rewoundByReceiver).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"-1,5,false", "0,0,true", "3,2,false", "3,3,true", "3,4,true"})
    void aBrokenWorkRequestHoldsThoseBehindIt(long broken, long entry, boolean stands) {
        SendQueue q = queue();
        q.broken = broken;
        q.issueEntry = entry;
        assertThat(q.isBroken()).isEqualTo(stands);
    }

    @Test
    void aConnectionBeginsOnceWithWhatTheDeviceCan() {
        SendQueue q = queue();
        q.modified(16);
        q.issueEntry = 9;
        q.broken = 4;
        assertThat(q.connected(2)).isSameAs(q.requester);
        assertThat(q.issueEntry).isZero();
        assertThat(q.broken).isEqualTo(-1);
        q.issueEntry = 3;
        q.connected(2);
        assertThat(q.issueEntry).as("it is connected already").isEqualTo(3);
        q.modified(2);
        assertThat(q.waitsForResponse()).as("nothing is in flight").isFalse();
        admit(q, 100);
        q.issueEntry = 1;
        assertThat(q.waitsForResponse()).isTrue();
        q.failed = true;
        assertThat(q.waitsForResponse()).isFalse();
        q.restart();
        assertThat(q.failed).isFalse();
        assertThat(q.idle()).isTrue();
        q.issueEntry = 7;
        q.connected(2);
        assertThat(q.issueEntry).as("a new one").isZero();
    }

    /** Work is done again when the queue has left its error and is empty. */
    @Test
    void aQueueResumesWhenItIsEmpty() {
        SendQueue q = queue();
        q.failed = true;
        q.told = true;
        q.drained = true;
        q.broken = 5;
        q.issuePacket = 2;
        q.addWaiting(wqe(0, 1));
        q.resume();
        assertThat(q.drained).isFalse();
        assertThat(q.failed).isTrue();
        q.removeWaiting();
        q.resume();
        assertThat(q.failed || q.told).isFalse();
        assertThat(q.broken).isEqualTo(-1);
        assertThat(q.issuePacket).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void allOfAQueueIsInTheSnapshot(int flag) {
        SendQueue q = queue();
        q.failed = flag == 0;
        q.drained = flag == 1;
        q.rewoundByReceiver = flag == 2;
        q.told = flag == 3;
        if (flag == 4) {
            q.connected(16);
        }
        q.issueEntry = 11;
        q.issuePacket = 12;
        q.nextStart = 13;
        q.latched = 14;
        q.pacedSince = 15;
        q.asked = 16;
        q.readyAt = 17;
        q.madeThen = 18;
        q.taken = 19;
        q.emptyAt = 20;
        q.reported = 21;
        q.broken = 22;
        q.ackDeadline = 23;
        q.ackEvent = 24;
        q.local.waits(5);
        SendQueue c = again(q, parts);
        assertThat(new boolean[] {c.failed, c.drained, c.rewoundByReceiver, c.told})
                .containsExactly(flag == 0, flag == 1, flag == 2, flag == 3);
        assertThat(new long[] {
                    c.issueEntry,
                    c.issuePacket,
                    c.nextStart,
                    c.latched,
                    c.pacedSince,
                    c.asked,
                    c.readyAt,
                    c.madeThen,
                    c.taken,
                    c.emptyAt,
                    c.reported,
                    c.broken,
                    c.ackDeadline,
                    c.ackEvent
                })
                .containsExactly(11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24);
        assertThat(c.local.isIdle()).isFalse();
        c.connected(16);
        assertThat(c.issueEntry).as("connected before, or only now").isEqualTo(flag == 4 ? 11 : 0);
    }

    /** A deadline that moves later costs no event of its own; one that moves earlier does. */
    @Test
    void timersFollowTheirDeadline() {
        SendQueue q = queue();
        timed = q;
        sim.elaborate();
        q.qp.ackTimeoutPs = 1000;
        sim.run(100);
        timers.sent(q);
        assertThat(q.ackDeadline).isEqualTo(1100);
        sim.run(600);
        timers.sent(q);
        assertThat(q.ackDeadline).as("it runs").isEqualTo(1100);
        admit(q, 10);
        Requester.fillNext(q.requester, new RocePacket());
        timers.restart(q);
        assertThat(q.ackDeadline).as("something awaits an answer").isEqualTo(1600);
        sim.run(1700);
        assertThat(events).containsExactly("1100", "1600 over");
        assertThat(q.ackDeadline).isEqualTo(AckTimers.OFF);
        assertThat(q.ackEvent).isEqualTo(AckTimers.OFF);
        q.qp.ackTimeoutPs = 5000;
        timers.sent(q);
        q.ackDeadline = AckTimers.OFF;
        q.qp.ackTimeoutPs = 200;
        timers.sent(q);
        assertThat(q.ackEvent).as("an earlier event").isEqualTo(1900);
        sim.run(10_000);
        assertThat(events).as("the last is that of before").containsExactly("1100", "1600 over", "1900 over", "6700");
    }

    @Test
    void withoutATimeoutThereIsNoTimer() {
        SendQueue q = queue();
        timed = q;
        sim.elaborate();
        timers.sent(q);
        timers.restart(q);
        assertThat(q.ackDeadline).isEqualTo(AckTimers.OFF);
        q.qp.ackTimeoutPs = 1000;
        timers.restart(q);
        assertThat(q.ackDeadline).as("nothing awaits an answer").isEqualTo(AckTimers.OFF);
        timers.sent(q);
        q.ackDeadline = AckTimers.OFF; // what it waited for came
        sim.run(5000);
        assertThat(events).containsExactly("1000");
        assertThat(q.ackEvent).isEqualTo(AckTimers.OFF);
    }

    private static Wqe sges(long... lengths) {
        Wqe w = new Wqe();
        w.valid = true;
        w.opcode = WqeOpcode.RDMA_WRITE;
        for (int i = 0; i < lengths.length; i++) {
            w.sgeVa[i] = 0x1000L * (i + 1);
            w.sgeLength[i] = (int) lengths[i];
            w.sgeLkey[i] = 0x500 + 0x100 * i;
            w.length += lengths[i];
        }
        w.sgeCount = lengths.length;
        return w;
    }

    private PayloadEngine payload() {
        return new PayloadEngine(port, replies, parts, false, 0, 0, 0, QpArbiter.of(QueueSpec.Policy.RR, table));
    }

    /** A packet's payload is a piece of the list of elements; an element may be larger than 2 GB less one byte. */
    @ParameterizedTest
    @CsvSource({
        "0,10,'1000:10'",
        "0,150,'1000:100,2000:50'",
        "50,100,'1032:50,2000:50'",
        "100,10,'2000:10'",
        "149,1,'2031:1'",
        "150,20,'4000:20'",
        "90,1000,'100a'"
    })
    void payloadIsGatheredOutOfTheElements(long offset, int bytes, String reads) {
        sim.elaborate();
        PayloadEngine engine = payload();
        TxSlot slot = engine.add(0, new RocePacket(), 0, 0, true);
        slot.packet.payloadLength = bytes;
        new Gather(engine).ask(slot, sges(100, 50, 0, 2_000_000_000), offset, 0);
        sim.run(100);
        if (reads.equals("100a")) { // all that is left of two elements, and the rest of a third
            reads = "105a:10,2000:50,4000:940";
        }
        String wanted = String.join(
                ",",
                asked.stream()
                        .map(r -> Long.toHexString(r.address) + ":" + r.length)
                        .toList());
        assertThat(wanted).isEqualTo(reads);
        assertThat(asked.get(0).key).isEqualTo(offset < 100 ? 0x500 : offset < 150 ? 0x600 : 0x800);
    }

    @Test
    void inlineDataIsHereAndAnEmptyPacketAsksForNothing() {
        sim.elaborate();
        PayloadEngine engine = payload();
        Wqe w = new Wqe();
        w.inlineAt = 20;
        for (int i = 0; i < 50; i++) {
            w.raw[20 + i] = (byte) i;
        }
        TxSlot slot = engine.add(0, new RocePacket(), 0, 0, true);
        slot.packet.payloadLength = 7;
        new Gather(engine).ask(slot, w, 30, 0);
        assertThat(slot.packet.payload.length()).isEqualTo(7);
        assertThat(slot.packet.payload.byteAt(0)).isEqualTo((byte) 30);
        TxSlot empty = engine.add(0, new RocePacket(), 0, 1, true);
        new Gather(engine).ask(empty, sges(100), 0, 0);
        sim.run(100);
        assertThat(asked).isEmpty();
        assertThat(empty.packet.payload.length()).isZero();
    }

    @Test
    void wqesAreCheckedBeforeTheyStart() {
        int local = AccessFlag.LOCAL_WRITE.code();
        table.keys().addRegion(0x500, PD, 0x1000, 100, 0x91000, local);
        table.keys().addRegion(0x600, PD, 0x2000, 50, 0x92000, 0);
        QpContext rc = qp(QpType.RC, 4);
        WorkParser parser = new WorkParser(table);
        Wqe w = sges(100, 50);
        w.index = 5;
        w.remoteVa = 6;
        w.rkey = 7;
        w.imm = 8;
        w.swapAdd = 9;
        w.compare = 10;
        w.destQp = 11;
        w.qkey = 12;
        w.signaled = true;
        assertThat(parser.parse(rc, w)).isEqualTo(WcStatus.SUCCESS);
        SendWork s = parser.work;
        assertThat(new long[] {s.id, s.length, s.remoteVa, s.rkey, s.immOrKey, s.swapAdd, s.compare, s.destQpn, s.qkey})
                .containsExactly(5, 150, 6, 7, 8, 9, 10, 11, 12);
        assertThat(new boolean[] {s.signaled, s.solicited, s.fence}).containsExactly(true, false, false);
        assertThat(s.opcode).isEqualTo(WrOpcode.RDMA_WRITE);
        parser.translate(w);
        assertThat(w.sgeVa).startsWith(0x91000, 0x92000, 0);
        assertThat(parser.parse(rc, sges(101))).as("behind the region").isEqualTo(WcStatus.LOC_PROT_ERR);
        Wqe read = sges(100, 50);
        read.opcode = WqeOpcode.RDMA_READ;
        assertThat(parser.parse(rc, read)).as("may not be written").isEqualTo(WcStatus.LOC_PROT_ERR);
        read.sgeCount = 1;
        assertThat(parser.parse(rc, read)).isEqualTo(WcStatus.SUCCESS);
        Wqe empty = sges(0);
        empty.sgeLkey[0] = 0x999;
        assertThat(parser.parse(rc, empty)).as("no bytes need no key").isEqualTo(WcStatus.SUCCESS);
        Wqe wrong = sges(10);
        wrong.valid = false;
        assertThat(parser.parse(rc, wrong)).isEqualTo(WcStatus.LOC_QP_OP_ERR);
        wrong.valid = true;
        wrong.opcode = 0x55;
        assertThat(parser.parse(rc, wrong)).isEqualTo(WcStatus.LOC_QP_OP_ERR);
        wrong.opcode = WqeOpcode.UMR;
        assertThat(parser.parse(rc, wrong)).isEqualTo(WcStatus.LOC_QP_OP_ERR);
    }

    @Test
    void lengthsHaveALimit() {
        table.keys().addRegion(0x500, PD, 0, 1L << 40, 0, 0);
        QpContext rc = qp(QpType.RC, 4);
        QpContext ud = new QpContext(0x88, QpType.UD, PD, SQ, 4, 0, 3, 16, 0, 1, 2);
        ud.mtu = 1024;
        WorkParser parser = new WorkParser(table);
        Wqe most = sges(1L << 31);
        assertThat(parser.parse(rc, most)).isEqualTo(WcStatus.SUCCESS);
        most.length++;
        assertThat(parser.parse(rc, most)).isEqualTo(WcStatus.LOC_LEN_ERR);
        Wqe datagram = sges(1024);
        datagram.opcode = WqeOpcode.SEND;
        assertThat(parser.parse(ud, datagram)).isEqualTo(WcStatus.SUCCESS);
        datagram.length++;
        assertThat(parser.parse(ud, datagram)).isEqualTo(WcStatus.LOC_LEN_ERR);
        datagram.length = 5;
        datagram.opcode = WqeOpcode.RDMA_WRITE;
        assertThat(parser.parse(ud, datagram)).as("no WRITE by datagram").isEqualTo(WcStatus.LOC_QP_OP_ERR);
    }

    /** The chip keeps two WQEs; what was thrown out is read again when its turn comes. */
    @Test
    void wqesThatMadeRoomAreReadAgain() {
        sim.enableJourneys(16);
        SendQueue q = queue();
        sim.elaborate();
        WqeStore store = new WqeStore(new CacheSpec(2, 2, 64, 1), null, port, replies, parts);
        assertThat(store.lacks(q, 0)).as("nothing to do").isFalse();
        for (int i = 0; i < 3; i++) {
            Wqe w = wqe(0xFFFE + 3 * i & 0xFFFF, 3);
            w.journey = 5L + i;
            q.addWaiting(w);
            store.add(0, w);
        }
        assertThat(store.lacks(q, 0)).isTrue();
        assertThat(store.ask(q, 0, sim.now())).isTrue();
        assertThat(store.ask(q, 0, sim.now())).as("is on its way").isFalse();
        sim.run(100);
        DmaRead r = asked.get(0);
        assertThat(r.address).isEqualTo(SQ + 14 * 64);
        assertThat(r.length).as("up to the ring's end").isEqualTo(2 * 64);
        assertThat(store.queueOf(r)).isZero();
        assertThat(store.arrived(q, r, 900)).isSameAs(q.firstWaiting());
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        assertThat(log.size()).as("in front of its payload, or of its packets").isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            assertThat(log.stage(i)).isEqualTo(i == 0 ? parts.journal().payloadDma : parts.journal().assembly);
            assertThat(log.cause(i)).isEqualTo(parts.journal().causes.wqeMiss);
            assertThat(log.in(i)).isZero();
            assertThat(log.out(i)).isEqualTo(900);
        }
        assertThat(store.lacks(q, 0)).as("it is latched").isFalse();
        store.started(q, 0, 0xFFFE);
        assertThat(q.latched).isEqualTo(SendQueue.NOTHING);
        q.removeWaiting();
        assertThat(store.lacks(q, 0)).as("this one is on the chip").isFalse();
        store.started(q, 0, 1);
        assertThat(store.lacks(q, 0)).as("under execution it takes no room").isTrue();
        q.qp.state = QpState.SQD;
        assertThat(store.lacks(q, 0)).as("nothing starts").isFalse();
        q.qp.state = QpState.RTS;
        assertThat(store.ask(q, 7, sim.now())).isTrue();
        sim.run(200);
        assertThat(store.queueOf(asked.get(1))).isEqualTo(7);
        q.removeWaiting();
        assertThat(store.arrived(q, asked.get(1), 0))
                .as("another one is next by now")
                .isNull();
        store.register(sim.stats(), "nic");
        assertThat(sim.stats().value("nic.wqe_miss")).isEqualTo(2);
        assertThat(sim.stats().value("nic.wqe_hit"))
                .as("the one that was on the chip")
                .isEqualTo(1);
    }

    @Test
    void lostTimeIsTheRatesOrTheOthersOrTheLines() {
        sim.enableJourneys(64);
        SendQueue q = queue();
        sim.elaborate();
        LostTime lost = new LostTime(parts.journal(), clock);
        PayloadEngine engine = payload();
        Wqe w = wqe(0, 1);
        w.journey = 9;
        TxSlot slot = engine.add(0, new RocePacket(), 0, 0, true);
        slot.packet.psn = 4;
        slot.packet.journey = 9;
        q.readyAt = 100;
        lost.made(q, w, slot, false, true, 1000);
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        assertThat(log.size()).isZero();
        assertThat(w.madePs).isEqualTo(1000);
        q.pacedSince = 1100;
        lost.made(q, w, slot, false, false, 1500);
        assertThat(log.size()).isEqualTo(1);
        assertThat(log.cause(0)).isEqualTo(parts.journal().causes.rate);
        assertThat(log.in(0)).isEqualTo(1100);
        assertThat(log.out(0)).isEqualTo(1500);
        assertThat(log.seq(0)).isEqualTo(4);
        assertThat(q.pacedSince).isEqualTo(SendQueue.NOTHING);
        assertThat(w.madePs).isEqualTo(1500);
        lost.made(q, w, slot, true, false, 2000);
        assertThat(log.cause(1)).isEqualTo(parts.journal().causes.scheduler);
        assertThat(log.stage(1)).isEqualTo(parts.journal().assembly);
        assertThat(log.in(1)).isEqualTo(100);
        slot.pending = 1;
        lost.made(q, w, slot, true, false, 3000);
        assertThat(log.stage(2)).isEqualTo(parts.journal().payloadDma);
        admit(q, 5000);
        q.issueEntry = 1;
        q.goBack(true);
        lost.made(q, w, slot, false, false, 4000);
        assertThat(log.cause(3)).isEqualTo(parts.journal().causes.rnr);
        assertThat(log.in(3)).isEqualTo(3000);
        assertThat(w.madePs).as("since it was made first").isEqualTo(3000);
        q.goBack(false);
        lost.made(q, w, slot, false, true, 5000);
        assertThat(log.cause(4)).isEqualTo(parts.journal().causes.retransmit);
        assertThat(w.madePs).isEqualTo(5000);
        w.madePs = 0;
        lost.made(q, w, slot, false, false, 6000);
        assertThat(log.size()).as("it was not made before").isEqualTo(5);
        w.journey = 0;
        lost.made(q, w, slot, true, true, 7000);
        assertThat(log.size()).isEqualTo(5);
    }

    /** Of what a paced packet waits for others, the time until it had tokens is the rate's. */
    @Test
    void othersAreToBlameOnlyOnceThereAreTokens() {
        sim.enableJourneys(16);
        SendQueue q = queue();
        sim.elaborate();
        q.gate.change(new TokenBucketSpec(1 << 16, 16, 100), 0, false);
        assertThat(q.gate.pass(0, 100, true, 100, 1)).isTrue();
        assertThat(q.gate.pass(0, 100, true, 100, 1)).isFalse();
        long due = q.gate.due();
        assertThat(due).isGreaterThan(50);
        Wqe w = wqe(0, 1);
        w.journey = 9;
        TxSlot slot = payload().add(0, new RocePacket(), 0, 0, true);
        slot.packet.journey = 9;
        q.readyAt = 100;
        LostTime lost = new LostTime(parts.journal(), clock);
        lost.made(q, w, slot, true, true, 4000 * (due + 10));
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        assertThat(log.in(0)).isEqualTo(4000 * due);
        q.readyAt = 4000 * (due + 5);
        lost.made(q, w, slot, true, true, 4000 * (due + 10));
        assertThat(log.in(1)).isEqualTo(4000 * (due + 5));
    }
}

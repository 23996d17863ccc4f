package dev.clockwire.nic.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.Requester;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.trace.JourneyLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A send queue alone: its rings, its timer, and what it keeps when it goes back. */
class SendQueueTest extends SendRig {
    private final List<String> events = new ArrayList<>();
    private final AckTimers timers = new AckTimers(port, 4);
    /** Whose timer it is. */
    private @Nullable SendQueue timed;

    @Override
    void told(int kind) {
        assertThat(kind).isEqualTo(4);
        events.add(sim.now() + (timers.expired(Objects.requireNonNull(timed)) ? " over" : ""));
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
}

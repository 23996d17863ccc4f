package dev.clockwire.nic.complete;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.format.MiniCqe;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.JourneyLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the completion unit remembers: indices, arming, blocks that wait, followed operations, waits. */
class CompletionStatesTest {
    private static final int ALL = 0xFFFFFF;

    private static <T extends State> T move(T from, T to) {
        Snapshot saved = new Snapshot();
        from.save(saved);
        saved.putLong(4711);
        saved.rewind();
        to.load(saved);
        assertThat(saved.getLong()).as("what stands behind it").isEqualTo(4711);
        return to;
    }

    /** Tables begin with 16 queues. */
    @ParameterizedTest
    @ValueSource(ints = {0, 15, 16, 17, 100})
    void indicesOfAQueue(int cqn) {
        CqState s = new CqState();
        for (int i = 0; i < 5; i++) {
            assertThat(s.next(cqn)).isEqualTo(i);
        }
        assertThat(s.produced(cqn)).isEqualTo(5);
        assertThat(s.used(cqn)).isEqualTo(5);
        s.consumed(cqn, 3);
        assertThat(s.used(cqn)).isEqualTo(2);
        assertThat(s.used(cqn + 1)).isZero();
        CqState copy = move(s, new CqState());
        assertThat(copy.used(cqn)).isEqualTo(2);
        assertThat(copy.produced(cqn)).isEqualTo(5);
    }

    /** The driver's counter has 24 bits; it wraps, and never goes back. */
    @Test
    void theConsumersCounterWraps() {
        CqState s = new CqState();
        s.consumed(0, 0xFFFFFE);
        s.consumed(0, 3);
        for (int i = 0; i < 8; i++) {
            s.next(0);
        }
        assertThat(s.used(0)).isEqualTo(8 - 0x1000003L);
        s.consumed(0, 3);
        assertThat(s.used(0)).as("nothing new").isEqualTo(8 - 0x1000003L);
    }

    @Test
    void anArmedQueueCountsWhatItIsArmedFor() {
        CqState s = new CqState();
        assertThat(s.isArmed(2)).isFalse();
        assertThat(s.counts(2, true)).as("not armed").isFalse();
        assertThat(s.arm(2, CqState.SOLICITED, 0, ALL, -1)).isFalse();
        assertThat(s.isArmed(2)).isTrue();
        assertThat(s.counts(2, false)).isFalse();
        assertThat(s.counts(2, true)).isTrue();
        assertThat(s.arm(2, CqState.ANY, 0, ALL, -1)).isFalse();
        assertThat(s.counts(2, false)).isTrue();
        assertThat(s.arm(2, CqState.SOLICITED, 0, ALL, -1)).isFalse();
        assertThat(s.counts(2, false))
                .as("who asked for any is not content with less")
                .isTrue();
    }

    @Test
    void whatTheDriverHasNotSeenIsDueAtOnce() {
        CqState s = new CqState();
        for (int i = 0; i < 5; i++) {
            s.next(1);
        }
        assertThat(s.arm(1, CqState.ANY, 5, ALL, -1)).as("all seen").isFalse();
        assertThat(s.arm(1, CqState.ANY, 4, ALL, -1)).isTrue();
        assertThat(s.arm(1, CqState.ANY, 6, ALL, -1))
                .as("saw one that is to come: half the circle is ahead")
                .isFalse();
        assertThat(s.arm(1, CqState.ANY, 5 - 0x7F, 0xFF, -1)).isTrue();
        assertThat(s.arm(1, CqState.ANY, 5 - 0x80, 0xFF, -1)).isFalse();
        assertThat(s.arm(1, CqState.ANY, 5 - 0x100, 0xFF, -1))
                .as("eight bits look the same")
                .isFalse();
        assertThat(s.arm(1, CqState.ANY, 5 - 0x7F_FFFF, ALL, -1)).isTrue();
        assertThat(s.arm(1, CqState.ANY, 5 - 0x80_0000, ALL, -1)).isFalse();
    }

    @Test
    void ofSolicitedOnesTheNewestCounts() {
        CqState s = new CqState();
        s.next(1);
        s.next(1);
        s.counts(1, true); // entry 1, the second one
        s.next(1);
        s.counts(1, false);
        assertThat(s.arm(1, CqState.SOLICITED, 2, ALL, -1)).isFalse();
        CqState copy = move(s, new CqState());
        s.fire(1);
        assertThat(s.arm(1, CqState.SOLICITED, 1, ALL, -1)).isTrue();
        assertThat(copy.arm(1, CqState.SOLICITED, 1, ALL, -1)).isTrue();
    }

    /** An arming with the number of an event that is out is one that crossed it on the way. */
    @ParameterizedTest
    @ValueSource(ints = {1, 30})
    void anOldArmingIsOverlooked(int cqn) {
        CqState s = new CqState();
        s.arm(cqn, CqState.ANY, 0, ALL, 0);
        assertThat(s.isArmed(cqn))
                .as("nothing has fired: sequence 0 is no old one")
                .isTrue();
        assertThat(s.fired(cqn)).isZero();
        s.fire(cqn);
        assertThat(s.fired(cqn)).isEqualTo(1);
        assertThat(s.isArmed(cqn)).isFalse();
        s.arm(cqn, CqState.ANY, 0, ALL, 0);
        assertThat(s.isArmed(cqn)).isFalse();
        CqState copy = move(s, new CqState());
        copy.arm(cqn, CqState.ANY, 0, ALL, 0);
        assertThat(copy.isArmed(cqn)).isFalse();
        s.arm(cqn, CqState.ANY, 0, ALL, -1);
        assertThat(s.isArmed(cqn)).as("an arming without a number").isTrue();
        copy.arm(cqn, CqState.ANY, 0, ALL, 1);
        assertThat(copy.isArmed(cqn)).isTrue();
        assertThat(copy.fired(cqn)).isEqualTo(1);
    }

    @Test
    void completionsAreCountedFromTheArming() {
        CqState s = new CqState();
        s.arm(0, CqState.ANY, 0, ALL, -1);
        assertThat(s.wait(0)).isEqualTo(1);
        assertThat(s.wait(0)).isEqualTo(2);
        s.arm(0, CqState.ANY, 0, ALL, -1);
        assertThat(s.wait(0)).as("armed again: goes on").isEqualTo(3);
        assertThat(move(s, new CqState()).wait(0)).isEqualTo(4);
        s.fire(0);
        s.arm(0, CqState.ANY, 0, ALL, -1);
        assertThat(s.wait(0)).isEqualTo(1);
    }

    @Test
    void turnsAndWhatIsHeldBackAreInTheSnapshot() {
        List<Consumer<CqState>> flags = List.of(
                s -> s.receiveTurn = true,
                s -> s.otherTurn = true,
                s -> s.reading = true,
                s -> s.heldDue = true,
                s -> s.heldReceive = true);
        for (int i = 0; i < flags.size(); i++) {
            CqState s = new CqState();
            flags.get(i).accept(s);
            CqState c = move(s, new CqState());
            assertThat(new boolean[] {c.receiveTurn, c.otherTurn, c.reading, c.heldDue, c.heldReceive})
                    .containsExactly(i == 0, i == 1, i == 2, i == 3, i == 4);
        }
        CqState s = new CqState();
        s.held = new Completion();
        s.held.cqn = 5;
        s.heldUntil = 6;
        s.lost = 7;
        s.asked = 8;
        s.judged = 9;
        s.held(3).add(44, 0, 10);
        CqState c = move(s, new CqState());
        assertThat(Objects.requireNonNull(c.held).cqn).isEqualTo(5);
        assertThat(new long[] {c.heldUntil, c.lost, c.asked, c.judged}).containsExactly(6, 7, 8, 9);
    }

    private static Completion completion(int cqn, int counter) {
        Completion c = new Completion();
        c.cqn = cqn;
        c.qpn = 7;
        c.opcode = 2;
        c.wqeCounter = counter;
        return c;
    }

    @Test
    void ordinaryCompletionsMayWait() {
        Completion c = completion(0, 0);
        assertThat(CqeCompressor.isOrdinary(c)).isTrue();
        c.solicited = true;
        assertThat(CqeCompressor.isOrdinary(c)).isFalse();
        c.solicited = false;
        c.syndrome = 1;
        assertThat(CqeCompressor.isOrdinary(c)).isFalse();
    }

    /** Of a completion only counter, WQE opcode and byte count have a place in a small entry. */
    @Test
    void aBlockTakesWhatIsAlike() {
        CqeCompressor unit = new CqeCompressor(10);
        CqeCompressor.Block b = unit.add(completion(3, 0), true, 100);
        Completion same = completion(3, 9);
        same.byteCount = 5;
        same.wqeOpcode = 6;
        assertThat(b.takes(same)).isTrue();
        List<Consumer<Completion>> changes = List.of(
                c -> c.opcode = 3,
                c -> c.qpn = 8,
                c -> c.imm = 1,
                c -> c.srcQp = 1,
                c -> c.hash = 1,
                c -> c.checksums = 1,
                c -> c.sum = 1);
        for (Consumer<Completion> change : changes) {
            Completion other = completion(3, 9);
            change.accept(other);
            assertThat(b.takes(other)).isFalse();
        }
    }

    @Test
    void blocksAreFullOrDueAndCounted() {
        CqeCompressor unit = new CqeCompressor(10);
        assertThat(unit.first()).isNull();
        assertThat(unit.open(50)).isNull();
        assertThat(unit.waiting(50)).isZero();
        CqeCompressor.Block late = unit.add(completion(40, 0), true, 105);
        CqeCompressor.Block early = unit.add(completion(3, 1), false, 100);
        assertThat(early.due).isEqualTo(110);
        assertThat(late.receives).isTrue();
        assertThat(early.receives).isFalse();
        assertThat(unit.first()).isSameAs(early);
        assertThat(unit.add(completion(3, 2), true, 109)).isSameAs(early);
        assertThat(early.due).as("the first one's").isEqualTo(110);
        assertThat(early.receives).isFalse();
        assertThat(unit.waiting(3)).isEqualTo(2);
        for (int i = 3; i <= MiniCqe.MOST; i++) {
            assertThat(early.isFull()).isFalse();
            unit.add(completion(3, i), false, 109);
        }
        assertThat(early.isFull()).isTrue();
        CqeCompressor copy = move(unit, new CqeCompressor(10));
        unit.written(early);
        assertThat(unit.open(3)).isNull();
        assertThat(unit.first()).isSameAs(late);
        unit.written(late);
        assertThat(unit.first()).isNull();
        assertThat(unit.blocks()).as("one alone is no block").isEqualTo(1);
        assertThat(unit.completions()).isEqualTo(MiniCqe.MOST);
        CqeCompressor.Block again = Objects.requireNonNull(copy.first());
        assertThat(again.cqn).isEqualTo(3);
        assertThat(again.due).isEqualTo(110);
        assertThat(again.count).isEqualTo(MiniCqe.MOST);
        for (int i = 0; i < MiniCqe.MOST; i++) {
            assertThat(again.get(i).wqeCounter).isEqualTo(i + 1);
        }
        copy.written(again);
        CqeCompressor.Block second = Objects.requireNonNull(copy.first());
        assertThat(second.receives).isTrue();
        copy.written(second);
        assertThat(copy.first()).isNull();
        assertThat(move(unit, new CqeCompressor(10)).completions()).isEqualTo(MiniCqe.MOST);
        assertThat(move(unit, new CqeCompressor(10)).blocks()).isEqualTo(1);
    }

    @Test
    void heldOperationsArePassedOn() {
        Sim sim = new Sim(SimSpec.of(1));
        sim.enableJourneys(256);
        Journal journal = new Journal(sim, 1);
        HeldJourneys queue = new HeldJourneys();
        queue.add(0, journal.poll, 5); // nobody follows that one
        for (int i = 1; i <= 40; i++) {
            queue.add(i, journal.poll, 100 + i);
        }
        HeldJourneys copy = move(queue, new HeldJourneys());
        copy.add(41, journal.recvPoll, 141);
        HeldJourneys events = new HeldJourneys();
        copy.release(journal, 500, events);
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        assertThat(log.size()).isEqualTo(41);
        for (int i = 0; i < 41; i++) {
            assertThat(log.isDelay(i)).isTrue();
            assertThat(log.journey(i)).isEqualTo(i + 1);
            assertThat(log.stage(i)).isEqualTo(i < 40 ? journal.poll : journal.recvPoll);
            assertThat(log.in(i)).isEqualTo(101 + i);
            assertThat(log.out(i)).isEqualTo(500);
            assertThat(log.cause(i)).isEqualTo(journal.causes.moderation);
        }
        copy.release(journal, 600, events);
        assertThat(log.size()).as("nothing is held any more").isEqualTo(41);
        events.release(journal, 700, events);
        assertThat(log.size()).isEqualTo(82);
        assertThat(log.in(81)).isEqualTo(500);
        assertThat(log.out(81)).isEqualTo(700);
        events.release(journal, 800, events);
        assertThat(log.size()).as("nobody holds them now").isEqualTo(82);
        queue.clear();
        queue.release(journal, 900, events);
        assertThat(log.size()).isEqualTo(82);
    }

    /** More than 16384 are not kept. */
    @Test
    void operationsThatAreHeldHaveALimit() {
        Sim sim = new Sim(SimSpec.of(1));
        sim.enableJourneys(1 << 16);
        HeldJourneys held = new HeldJourneys();
        for (int i = 1; i <= (1 << 14) + 5; i++) {
            held.add(i, 0, 0);
        }
        held.release(new Journal(sim, 1), 1, held);
        assertThat(Objects.requireNonNull(sim.journeys()).size()).isEqualTo(1 << 14);
    }

    @Test
    void waitsMoveWithTheSnapshotAndTheirTableGrows() {
        Sim sim = new Sim(SimSpec.of(1));
        List<String> answers = new ArrayList<>();
        EventPort ear = new EventPort(new SimNode(sim.root(), "ear") {}, "port") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                answers.add(kind + " " + a + " " + (b >>> 32) + " " + (int) b + " @" + now());
            }
        };
        sim.elaborate();
        CqWaits waits = new CqWaits();
        for (long slot = 0; slot < 9; slot++) {
            waits.add(slot << 32 | slot % 2, (100 + slot) << 32 | 5);
        }
        waits.add(8L << 32, 200L << 32 | 6); // of the same send queue: instead of the one before
        CqWaits copy = move(waits, new CqWaits());
        copy.answer(ear, 3);
        copy.produced(0, 4, 10);
        sim.run(20);
        assertThat(answers).isEmpty();
        copy.produced(0, 5, 30);
        sim.run(40);
        assertThat(answers).containsExactly("3 0 1 100 @30", "3 2 1 102 @30", "3 4 1 104 @30", "3 6 1 106 @30");
        answers.clear();
        copy.produced(0, 6, 50);
        copy.refuse(1, 60);
        sim.run(70);
        assertThat(answers)
                .containsExactly("3 8 1 200 @50", "3 1 0 101 @60", "3 3 0 103 @60", "3 5 0 105 @60", "3 7 0 107 @60");
        assertThat(copy.isEmpty()).isTrue();
        assertThat(waits.isEmpty()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0,0,true",
        "5,5,true",
        "5,6,false",
        "5,4,true",
        "-2147483648,0,false",
        "2147483647,0,true",
        "0,-1,true",
        "-1,0,false"
    })
    void countersGoRoundInACircle(int produced, int what, boolean reached) {
        assertThat(CqWaits.reached(produced, what)).isEqualTo(reached);
    }
}

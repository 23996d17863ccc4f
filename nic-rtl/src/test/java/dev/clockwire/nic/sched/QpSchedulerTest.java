package dev.clockwire.nic.sched;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.doorbell.Doorbell;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.testkit.LongSink;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the scheduler asks the fetch engine for, one answer after another; the test is doorbell block, fetch engine and send engine. */
class QpSchedulerTest {
    private static final int A = 0x20;
    private static final int B = 0x21;
    private static final int BATCH = 4;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private final ContextTable table = new ContextTable();
    private final Deque<Doorbell> doorbells = new ArrayDeque<>();
    private final Deque<Long> words = new ArrayDeque<>();
    private final Deque<Long> starts = new ArrayDeque<>();
    private final List<String> bypassed = new ArrayList<>();
    private @Nullable LongSink fetches;
    private @Nullable QpScheduler scheduler;
    private @Nullable DeviceParts parts;
    private boolean bypassOpen = true;

    private QpContext qp(int qpn) {
        QpContext qp = new QpContext(qpn, QpType.RC, 1, 0, 15, 0, 4, 16, 0, 0, 0);
        table.add(qp);
        Arrays.fill(qp.journeys, 7);
        return qp;
    }

    /** Hands over what a test has put in, one a cycle. */
    private final class Feeder extends SimModule {
        private final Channel<Doorbell> bells;
        private final LongChannel fetched;
        private final LongChannel started;

        Feeder(Channel<Doorbell> bells, LongChannel fetched, LongChannel started) {
            super(sim.root(), "feeder", clock);
            this.bells = bells.from(this);
            this.fetched = fetched.from(this);
            this.started = started.from(this);
        }

        @Override
        protected boolean tick(long cycle) {
            wakeAt(cycle + 1);
            boolean did = false;
            if (!doorbells.isEmpty() && bells.ready(cycle)) {
                bells.put(cycle, doorbells.remove());
                did = true;
            }
            if (!words.isEmpty() && fetched.ready(cycle)) {
                fetched.put(cycle, words.remove());
                did = true;
            }
            if (!starts.isEmpty() && started.ready(cycle)) {
                started.put(cycle, starts.remove());
                did = true;
            }
            return did;
        }
    }

    private void build(String... settings) {
        table.setUars(8);
        Profile p = Profiles.named("cx7-400g")
                .with("nic.wqe.fetch_batch", "" + BATCH)
                .with("nic.sched.ahead", "6");
        for (int i = 0; i < settings.length; i += 2) {
            p = p.with(settings[i], settings[i + 1]);
        }
        qp(A);
        qp(B);
        parts = LoneParts.of(sim, clock, p, table);
        Channel<Doorbell> bells = new Channel<>(sim.root(), "bells", clock, 2);
        LongChannel fetched = new LongChannel(sim.root(), "fetched", clock, 2);
        LongChannel started = new LongChannel(sim.root(), "started", clock, 2);
        LongChannel out = new LongChannel(sim.root(), "fetches", clock, 2);
        Channel<Wqe> bypass = new Channel<>(sim.root(), "bypass", clock, 1);
        new Feeder(bells, fetched, started);
        scheduler = new QpScheduler(
                sim.root(), clock, bells, fetched, started, out, bypass, new Pool<>(Doorbell::new), parts);
        fetches = new LongSink(sim.root(), "sink", clock, out, Stall.none());
        new TokenSink<>(sim.root(), "bypassSink", clock, bypass, cycle -> bypassOpen, w -> {
            bypassed.add(w.qpn + " " + w.index);
            return w.index;
        });
        sim.elaborate();
    }

    private void ring(int qpn, int producer) {
        Doorbell d = new Doorbell();
        d.qpn = qpn;
        d.producer = producer;
        doorbells.add(d);
    }

    private void blueflame(int qpn, int index, int blocks) {
        Doorbell d = new Doorbell();
        d.qpn = qpn;
        d.producer = index + blocks & 0xFFFF;
        Wqe w = new Wqe();
        w.qpn = qpn;
        w.index = index;
        w.blocks = blocks;
        w.journey = 9;
        d.wqe = w;
        doorbells.add(d);
    }

    /** The fetch engine found WQEs in blocks. */
    private void found(int qpn, int wqes, int blocks) {
        words.add(FetchWord.of(qpn, wqes, blocks));
    }

    private int seen;

    /** Returns what was asked for since the last call: queue, block, number of blocks. */
    private List<String> asked() {
        sim.run(sim.now() + 100_000);
        List<Long> all = Objects.requireNonNull(fetches).values();
        List<String> fresh = new ArrayList<>();
        for (; seen < all.size(); seen++) {
            long w = all.get(seen);
            int blocks = FetchWord.blocks(w);
            fresh.add(FetchWord.qpn(w) + ":"
                    + (blocks == FetchWord.RECORD ? "record" : FetchWord.index(w) + "+" + blocks));
        }
        return fresh;
    }

    @Test
    void oneFetchOfAQueueIsOnItsWay() {
        build();
        ring(A, 3);
        assertThat(asked()).containsExactly("32:0+3");
        ring(A, 9);
        assertThat(asked()).isEmpty();
        found(A, 2, 3);
        assertThat(asked()).as("a batch at most").containsExactly("32:3+4");
        found(A, 1, 2);
        assertThat(asked()).as("what was not used up begins the next").containsExactly("32:5+4");
        found(A, 2, 4);
        assertThat(asked()).isEmpty();
        ring(A, 9);
        assertThat(asked()).as("nothing new").isEmpty();
    }

    /** A WQE that is longer than what was read is read whole. */
    @Test
    void aWqeThatDidNotFitIsReadAtItsLargest() {
        build();
        ring(A, 20);
        assertThat(asked()).containsExactly("32:0+4");
        found(A, 0, 0);
        assertThat(asked()).containsExactly("32:0+16");
        found(A, 1, 10);
        assertThat(asked()).as("and the next as usual").containsExactly("32:10+4");
    }

    @Test
    void soManyWqesAreReadAhead() {
        build();
        ring(A, 30);
        assertThat(asked()).containsExactly("32:0+4");
        found(A, 4, 4);
        assertThat(asked()).containsExactly("32:4+4");
        found(A, 2, 2);
        assertThat(asked()).as("six wait for their execution").isEmpty();
        starts.add((long) A);
        assertThat(asked()).containsExactly("32:6+4");
    }

    @Test
    void queuesTakeTurns() {
        build();
        ring(A, 1);
        ring(B, 1);
        ring(A, 2);
        assertThat(asked()).containsExactly("32:0+1", "33:0+1");
        found(A, 1, 1);
        found(B, 1, 1);
        ring(B, 2);
        assertThat(asked()).containsExactly("32:1+1", "33:1+1");
    }

    @Test
    void aDoorbellWithoutAnIndexAsksTheRecord() {
        build();
        ring(A, -1);
        assertThat(asked()).containsExactly("32:record");
        words.add(FetchWord.of(A, 2, FetchWord.RECORD));
        assertThat(asked()).containsExactly("32:0+2");
        ring(A, 5);
        ring(A, -1);
        assertThat(asked()).isEmpty();
        found(A, 2, 2);
        assertThat(asked()).as("the record first").containsExactly("32:record");
        words.add(FetchWord.of(A, 4, FetchWord.RECORD)); // read before the last doorbell came
        assertThat(asked()).as("a newer index is known").containsExactly("32:2+3");
    }

    @ParameterizedTest
    @CsvSource({"0xFFFE,2", "0,5", "0x7FFF,0x8003"})
    void indicesGoRound(String from, String to) {
        build();
        int start = Integer.decode(from);
        for (int at = 0; at < start; at += 0x4000) {
            // as far as the start, in steps that are ahead
            ring(A, Math.min(start, at + 0x4000));
            asked();
            found(A, 0, Math.min(start, at + 0x4000) - at);
            asked();
        }
        ring(A, Integer.decode(to));
        int blocks = Math.min(BATCH, Integer.decode(to) - start & 0xFFFF);
        assertThat(asked()).containsExactly("32:" + start + "+" + blocks);
    }

    @Test
    void aBlueflameWqeThatIsNextPassesBy() {
        sim.enableJourneys(16);
        build();
        blueflame(A, 0, 2);
        assertThat(asked()).isEmpty();
        assertThat(bypassed).containsExactly("32 0");
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        assertThat(log.size()).isEqualTo(1);
        assertThat(log.stage(0)).isEqualTo(Objects.requireNonNull(parts).journal().doorbell);
        assertThat(log.out(0)).isEqualTo(log.in(0) + 4000);
        blueflame(A, 2, 1);
        assertThat(asked()).isEmpty();
        assertThat(bypassed).containsExactly("32 0", "32 2");
        ring(A, 5);
        assertThat(asked()).as("behind it").containsExactly("32:3+2");
    }

    @Test
    void aBlueflameWqeThatIsNotNextIsADoorbell() {
        build();
        ring(A, 1);
        asked();
        blueflame(A, 1, 1);
        assertThat(asked()).isEmpty();
        found(A, 1, 1);
        assertThat(asked()).containsExactly("32:1+1");
        found(A, 1, 1);
        asked();
        blueflame(A, 3, 1); // one before it has not been heard of
        assertThat(asked()).containsExactly("32:2+2");
        assertThat(bypassed).isEmpty();
    }

    @Test
    void aBlueflameWqeWaitsForThoseAheadOfIt() {
        build("nic.sched.ahead", "1");
        blueflame(A, 0, 1);
        asked();
        blueflame(A, 1, 1);
        assertThat(asked()).as("one is ahead already").isEmpty();
        assertThat(bypassed).hasSize(1);
        starts.add((long) A);
        assertThat(asked()).containsExactly("32:1+1");
    }

    /** Where a context may have to be read first a WQE does not wait for its way: it is read from memory instead. */
    @ParameterizedTest
    @CsvSource({"0,false", "16,true"})
    void nobodyWaitsBehindABlueflameWqeWithCaches(int entries, boolean drops) {
        build("nic.cache.qpc_entries", "" + entries, "nic.cache.qpc_ways", "4");
        bypassOpen = false;
        blueflame(A, 0, 1);
        blueflame(B, 0, 1);
        blueflame(B, 1, 1);
        List<String> first = asked();
        if (drops) {
            assertThat(first).containsExactly("33:0+1");
            return;
        }
        assertThat(first).isEmpty();
        bypassOpen = true;
        sim.run(sim.now() + 100_000);
        assertThat(asked()).isEmpty();
    }

    @Test
    void sendsOfAManagedQueueAreReleasedByOthers() {
        build();
        QpContext qp = Objects.requireNonNull(table.qp(A));
        qp.managedSends = true;
        blueflame(A, 0, 1);
        ring(A, 6);
        assertThat(asked()).isEmpty();
        assertThat(bypassed).isEmpty();
        QpScheduler s = Objects.requireNonNull(scheduler);
        s.enables().send(sim.now() + 1, QpScheduler.ENABLE, qp.slot, 2);
        assertThat(asked()).containsExactly("32:0+2");
        found(A, 2, 2);
        s.enables().send(sim.now() + 1, QpScheduler.ENABLE, qp.slot, 9);
        assertThat(asked()).as("as far as is posted").containsExactly("32:2+4");
        found(A, 4, 4);
        for (int i = 0; i < 6; i++) {
            starts.add((long) A);
        }
        ring(A, 12);
        assertThat(asked()).as("as far as is released").containsExactly("32:6+3");
        found(A, 3, 3);
        s.hold(qp, false, sim.now());
        assertThat(asked()).as("all of it").containsExactly("32:9+3");
        found(A, 3, 3);
        starts.add((long) A);
        s.hold(qp, true, sim.now());
        ring(A, 14);
        assertThat(asked()).isEmpty();
        s.enables().send(sim.now() + 1, QpScheduler.ENABLE, qp.slot, 13);
        assertThat(asked()).containsExactly("32:12+1");
    }

    @Test
    void onlyManagedQueuesAreHeld() {
        build();
        QpContext qp = Objects.requireNonNull(table.qp(A));
        Objects.requireNonNull(scheduler).hold(qp, true, sim.now());
        ring(A, 1);
        assertThat(asked()).containsExactly("32:0+1");
    }

    /** A queue that is to be emptied says itself how much is posted. */
    @Test
    void whatIsPostedNeedsNoDoorbell() {
        build();
        QpContext qp = Objects.requireNonNull(table.qp(B));
        asked();
        Objects.requireNonNull(scheduler).close(qp, 3, sim.now());
        assertThat(asked()).containsExactly("33:0+3");
        assertThat(Objects.requireNonNull(scheduler).overtaken()).isZero();
    }

    /** More than a ring ahead nothing can be posted: half of what 16 bits count here. */
    @Test
    void anIndexBeyondTheRingIsNobodys() {
        build();
        ring(A, 0x8001);
        assertThat(asked()).isEmpty();
        ring(A, 0x8000);
        assertThat(asked()).containsExactly("32:0+4");
    }

    /** WQEs that were there before are in their queue's wait; those of this cycle are not. */
    @Test
    void waitsInTheQueueAreStamped() {
        sim.enableJourneys(64);
        build();
        ring(A, 2);
        asked();
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        int sqWait = Objects.requireNonNull(parts).journal().sqWait;
        int doorbell = Objects.requireNonNull(parts).journal().doorbell;
        assertThat(log.size()).isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            assertThat(log.stage(i)).isEqualTo(doorbell);
        }
        ring(A, 8);
        asked();
        assertThat(log.size()).as("six doorbells more").isEqualTo(8);
        found(A, 2, 2);
        asked();
        int waits = 0;
        int delays = 0;
        for (int i = 8; i < log.size(); i++) {
            if (log.isDelay(i)) {
                delays++;
            } else {
                waits++;
                assertThat(log.stage(i)).isEqualTo(sqWait);
                assertThat(log.out(i)).isEqualTo(log.in(i));
            }
        }
        assertThat(waits).as("a batch of those that waited").isEqualTo(BATCH);
        assertThat(delays).as("the queue was ready at once").isZero();
    }
}

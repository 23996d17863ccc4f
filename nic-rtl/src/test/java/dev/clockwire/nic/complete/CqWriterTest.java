package dev.clockwire.nic.complete;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.CqContext;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.EqContext;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.doorbell.ArmWord;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.nic.format.MiniCqe;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.testkit.LongSource;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The completion unit alone: which entries it writes where, in what order, and what becomes of full queues. */
class CqWriterTest {
    private static final long RING = 0x10_0000;
    private static final int CYCLES = 7;

    private Sim sim = new Sim(SimSpec.of(1));
    private final List<String> told = new ArrayList<>();
    private final List<DmaWrite> writes = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();
    private final List<Completion> sends = new ArrayList<>();
    private final List<Completion> receives = new ArrayList<>();
    private final List<Completion> others = new ArrayList<>();
    private long[] arms = {};
    private Stall armStall = Stall.none();
    private long consumed;
    private boolean unreadable;
    private int recordReads;
    private final ContextTable table = new ContextTable();

    CqWriterTest() {
        table.setUars(8);
        for (int i = 0; i < 2; i++) {
            QpContext qp = new QpContext(0x20 + i, QpType.RC, 1, 0, 4, 0, 4, 16, 0, i, i);
            table.add(qp);
            table.add(new CqContext(i, RING + 0x1000L * i, 2, 0x9000 + 64L * i)); // four entries each
        }
    }

    /** Notes what the unit tells the device. */
    private final class Control extends LoneParts.Nobody {
        @Override
        public void emptied(QpContext qp) {
            told.add("emptied " + qp.qpn + " after " + writes.size());
        }

        @Override
        public void cqFailed(int cqn) {
            told.add("failed " + cqn);
            table.breakCq(cqn);
        }

        @Override
        public long address(int vector) {
            return 0xFEE0;
        }
    }

    private static Completion completion(int cqn, int counter) {
        Completion c = new Completion();
        c.cqn = cqn;
        c.qpn = 0x20 + cqn;
        c.opcode = Cqe.RESP_SEND;
        c.wqeCounter = counter;
        c.byteCount = 10 * counter;
        c.journey = 500L + counter;
        return c;
    }

    private CqWriter run(String... settings) {
        Profile p = Profiles.named("cx7-400g").with("nic.completion.cycles", "" + CYCLES);
        for (int i = 0; i < settings.length; i += 2) {
            p = p.with(settings[i], settings[i + 1]);
        }
        Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        DeviceParts parts = LoneParts.of(sim, clock, p, table, new Control());
        SimNode host = new SimNode(sim.root(), "host") {};
        EventPort answers = new EventPort(host, "answers") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                DmaRead r = (DmaRead) Objects.requireNonNull(token);
                r.error = unreadable ? DmaError.ABORTED : DmaError.NONE;
                r.into.appendBytes(
                        new byte[] {9, (byte) (consumed >> 16), (byte) (consumed >> 8), (byte) consumed}, 0, 4);
                Objects.requireNonNull(r.reply).write(r);
            }
        };
        EventPort reads = new EventPort(new SimNode(sim.root(), "reader") {}, "reads") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                DmaRead r = (DmaRead) Objects.requireNonNull(token);
                assertThat(r.address).isEqualTo(0x9000 + 64 * r.cookie);
                assertThat(r.length).isEqualTo(4);
                recordReads++;
                answers.send(now() + 200_000, 0, 0, 0, r);
            }
        };
        EventPort stores = new EventPort(new SimNode(sim.root(), "writer") {}, "writes") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                writes.add((DmaWrite) Objects.requireNonNull(token));
                times.add(now());
            }
        };
        CqWriter writer = new CqWriter(
                sim.root(),
                clock,
                source(clock, "sends", sends),
                source(clock, "receives", receives),
                arms(clock),
                reads,
                stores,
                parts);
        if (!others.isEmpty()) {
            writer.also(source(clock, "others", others));
        }
        writer.answerWaits(
                new EventPort(new SimNode(sim.root(), "engine") {}, "answers") {
                    @Override
                    protected void event(int kind, long a, long b, @Nullable Token token) {
                        told.add("wait " + kind + " " + a + " " + (int) b + " " + (b >>> 32));
                    }
                },
                3);
        sim.elaborate();
        return writer;
    }

    private LongChannel arms(Clock clock) {
        LongChannel channel = new LongChannel(sim.root(), "arms", clock, 2);
        new LongSource(sim.root(), "armSource", clock, channel, armStall, arms);
        return channel;
    }

    private Channel<Completion> source(Clock clock, String name, List<Completion> all) {
        Channel<Completion> channel = new Channel<>(sim.root(), name, clock, 2);
        new TokenSource<>(sim.root(), name + "Source", clock, channel, Stall.none(), all.size(), all::get);
        return channel;
    }

    private byte[] bytes(int i) {
        byte[] b = new byte[writes.get(i).length];
        writes.get(i).data.copyTo(0, b, 0, b.length);
        return b;
    }

    private List<Integer> counters() {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < writes.size(); i++) {
            all.add(Cqe.wqeCounter(bytes(i)));
        }
        return all;
    }

    @Test
    void entriesGoIntoTheirPlacesWithTheBitOfTheirLap() {
        sim.enableJourneys(64);
        consumed = 4;
        for (int i = 0; i < 6; i++) {
            sends.add(completion(0, i));
        }
        CqWriter w = run();
        sim.run(3_000_000);
        assertThat(counters()).containsExactly(0, 1, 2, 3, 4, 5);
        for (int i = 0; i < 6; i++) {
            assertThat(writes.get(i).address).isEqualTo(RING + i % 4 * 64L);
            assertThat(writes.get(i).length).isEqualTo(64);
            assertThat(Cqe.owner(bytes(i))).isEqualTo(i >= 4);
            assertThat(writes.get(i).journey).isEqualTo(500 + i);
        }
        assertThat(times.get(0)).as("visible in cycle 1").isEqualTo(4000 * CYCLES + 1);
        assertThat(times.get(1) - times.get(0)).isEqualTo(4000);
        assertThat(w.produced(0)).isEqualTo(6);
        assertThat(recordReads).isPositive();
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        List<Long> waited = new ArrayList<>();
        for (int i = 0; i < log.size(); i++) {
            if (log.isDelay(i)) {
                assertThat(log.cause(i)).isEqualTo(sim.causes().cqRecord);
                assertThat(sim.stages().name(log.stage(i))).isEqualTo("recv_completion");
                waited.add(log.journey(i));
            }
        }
        assertThat(waited).as("the ring holds four").containsExactly(504L, 505L);
        assertThat(log.size()).isEqualTo(6 + 2);
        assertThat(log.in(0)).isEqualTo(4000);
        assertThat(log.out(0)).isEqualTo(4000 * CYCLES + 1);
        assertThat(sim.stages().name(log.stage(0))).isEqualTo("completion");
    }

    @Test
    void bothSidesTakeTurnsAndAThirdEngineToo() {
        consumed = 1000;
        for (int i = 0; i < 2; i++) {
            sends.add(completion(0, 10 + i));
            receives.add(completion(0, 20 + i));
            others.add(completion(1, 30 + i));
        }
        run();
        sim.run(1_000_000);
        assertThat(counters()).hasSize(6);
        List<Integer> order = counters();
        assertThat(order.indexOf(20)).isLessThan(order.indexOf(11));
        assertThat(order.indexOf(30)).isLessThan(order.indexOf(21));
        assertThat(order.indexOf(10)).isLessThan(order.indexOf(11));
    }

    /** Whether a queue has room is asked of the record first; if that says no, it breaks, and what comes is lost. */
    @Test
    void aQueueThatIsFullBreaks() {
        for (int i = 0; i < 7; i++) {
            sends.add(completion(0, i));
        }
        receives.add(completion(1, 50));
        CqWriter w = run();
        sim.run(3_000_000);
        assertThat(told).containsExactly("failed 0");
        assertThat(counters()).containsExactlyInAnyOrder(0, 1, 2, 3, 50);
        assertThat(w.lost()).as("the fifth, and two behind it").isEqualTo(3);
        assertThat(recordReads).isEqualTo(2);
    }

    @Test
    void aQueueWhoseRecordCannotBeReadBreaks() {
        unreadable = true;
        for (int i = 0; i < 4; i++) {
            sends.add(completion(0, i));
        }
        run();
        sim.run(3_000_000);
        assertThat(told).isNotEmpty().containsOnly("failed 0");
    }

    /** Alike ones share two entries: the array first, the title last, so who sees the title sees both. */
    @Test
    void alikeCompletionsShareEntries() {
        sim.enableJourneys(64);
        table.compress(1, true);
        for (int i = 0; i < 3; i++) {
            receives.add(completion(1, 40 + i));
        }
        CqWriter w = run("nic.cqe.compression", "cq", "nic.cqe.compression_cycles", "50");
        sim.run(3_000_000);
        assertThat(writes).hasSize(2);
        assertThat(writes.get(0).address).isEqualTo(RING + 0x1000 + 64);
        assertThat(writes.get(1).address).isEqualTo(RING + 0x1000);
        assertThat(MiniCqe.isTitle(bytes(1))).isTrue();
        assertThat(Cqe.byteCount(bytes(1))).isEqualTo(3);
        byte[] out = new byte[64];
        for (int i = 0; i < 3; i++) {
            MiniCqe.expand(bytes(1), bytes(0), i, false, out);
            assertThat(Cqe.wqeCounter(out)).isEqualTo(40 + i);
            assertThat(Cqe.byteCount(out)).isEqualTo(10 * (40 + i));
        }
        assertThat(writes.get(0).journey).as("nobody's").isZero();
        assertThat(writes.get(1).journey).as("the last one's").isEqualTo(542);
        assertThat(times.get(1)).as("50 cycles behind the first").isEqualTo(4000 * (1 + 50 + CYCLES - 1) + 1);
        assertThat(w.compressedBlocks()).isEqualTo(1);
        assertThat(w.compressedCompletions()).isEqualTo(3);
        assertThat(w.produced(1)).isEqualTo(3);
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        assertThat(log.size())
                .as("a stamp each, and since when it waited for the others")
                .isEqualTo(6);
        for (int i = 0; i < 3; i++) {
            assertThat(log.isDelay(i)).isTrue();
            assertThat(log.journey(i)).isEqualTo(540 + i);
            assertThat(log.cause(i)).isEqualTo(sim.causes().moderation);
            assertThat(log.in(i)).isEqualTo(4000L * (1 + i));
            assertThat(log.out(i)).isEqualTo(4000L * 51);
        }
    }

    @Test
    void oneAloneAndOthersThatAreNotAlikeHaveTheirOwn() {
        table.compress(1, true);
        consumed = 100;
        receives.add(completion(1, 40));
        Completion other = completion(1, 41);
        other.imm = 5;
        receives.add(other);
        Completion solicited = completion(1, 42);
        solicited.imm = 5;
        solicited.solicited = true;
        receives.add(solicited);
        CqWriter w = run("nic.cqe.compression", "cq");
        sim.run(3_000_000);
        assertThat(counters()).containsExactly(40, 41, 42);
        assertThat(MiniCqe.isTitle(bytes(1))).isFalse();
        assertThat(w.compressedBlocks()).isZero();
        assertThat(w.compressedCompletions()).isZero();
        assertThat(run2Counters()).isEqualTo(0);
    }

    private long run2Counters() {
        sim = new Sim(SimSpec.of(1));
        receives.clear();
        return run().compressedBlocks() + sim.now();
    }

    @Test
    void aQueueThatIsNotCompressedWaitsForNobody() {
        for (int i = 0; i < 3; i++) {
            receives.add(completion(0, i));
        }
        run("nic.cqe.compression", "cq");
        sim.run(1_000_000);
        assertThat(counters()).containsExactly(0, 1, 2);
        assertThat(times.get(0)).isEqualTo(4000 * CYCLES + 1);
    }

    /** The end of a queue pair comes behind all that waits of it. */
    @Test
    void theEndComesBehindWhatWaits() {
        table.compress(1, true);
        receives.add(completion(1, 40));
        receives.add(completion(1, 41));
        receives.add(new Completion().end(0x21, 1));
        run("nic.cqe.compression", "cq", "nic.cqe.compression_cycles", "5000");
        sim.run(1_000_000);
        assertThat(told).hasSize(1);
        assertThat(told.get(0)).startsWith("emptied 33");
        assertThat(writes).as("not 5000 cycles later").hasSize(2);
        assertThat(Cqe.byteCount(bytes(1))).isEqualTo(2);
    }

    @Test
    void eightAreABlockAtOnce() {
        table.replace(new CqContext(1, RING + 0x1000, 5, 0x9040));
        table.compress(1, true);
        for (int i = 0; i < 9; i++) {
            receives.add(completion(1, i));
        }
        run("nic.cqe.compression", "all", "nic.cqe.compression_cycles", "5000");
        sim.run(1_000_000);
        assertThat(writes).hasSize(2);
        assertThat(Cqe.byteCount(bytes(1))).isEqualTo(8);
        sim.run(30_000_000);
        assertThat(writes).as("the ninth alone").hasSize(3);
        assertThat(Cqe.wqeCounter(bytes(2))).isEqualTo(8);
        assertThat(writes.get(2).address).isEqualTo(RING + 0x1000 + 8 * 64);
    }

    /** An armed queue's event follows its entry, and is due at once for what the driver had not seen. */
    @Test
    void armedQueuesHaveTheirEvents() {
        table.setEvents(new EqContext(0x7000, 4, 2));
        sends.add(completion(0, 1));
        sends.add(completion(0, 2));
        arms = new long[] {ArmWord.of(0, 0, 0, false), ArmWord.of(0, 1, 1, false), ArmWord.of(7, 0, 0, false)};
        armStall = cycle -> cycle == 0 || cycle >= 100;
        CqWriter w = run();
        sim.run(2_000_000);
        assertThat(w.eventEntries()).isEqualTo(2);
        assertThat(w.eventInterrupts()).isEqualTo(2);
        assertThat(w.eventOverruns()).isZero();
        List<Long> at = new ArrayList<>();
        for (int i = 0; i < writes.size(); i++) {
            if (writes.get(i).address >= 0x7000 && writes.get(i).address < 0x8000) {
                at.add(times.get(i));
                assertThat(Eqe.type(bytes(i))).isEqualTo(Eqe.COMP);
                assertThat(Eqe.number(bytes(i))).isZero();
            }
        }
        assertThat(at.get(0)).as("behind the first entry").isEqualTo(4000 * CYCLES + 2);
        assertThat(at.get(1)).as("the second arming had seen one of two").isEqualTo(101 * 4000 + 1);
    }

    /** A moderated queue's event waits for so many completions, or for a time since the first. */
    @Test
    void moderatedEventsWait() {
        table.setEvents(new EqContext(0x7000, 4, 2));
        table.moderate(0, 3, 5);
        sends.add(completion(0, 1));
        sends.add(completion(0, 2));
        arms = new long[] {ArmWord.of(0, 0, 0, false)};
        CqWriter w = run();
        sim.run(4000 * CYCLES + 5_000_000);
        assertThat(w.eventEntries()).isZero();
        sim.run(4000 * CYCLES + 5_000_010);
        assertThat(w.eventEntries()).as("five microseconds after the first").isEqualTo(1);
        sim = new Sim(SimSpec.of(1));
        sends.add(completion(0, 3));
        CqWriter three = run();
        sim.run(1_000_000);
        assertThat(three.eventEntries()).as("three of them").isEqualTo(1);
    }

    @Test
    void whoWaitsForCompletionsIsTold() {
        sends.add(completion(0, 1));
        sends.add(completion(0, 2));
        CqWriter w = run();
        w.events().send(1, CqWriter.WAIT, 4L << 32, 100L << 32 | 2);
        w.events().send(1, CqWriter.WAIT, 5L << 32, 101L << 32 | 3);
        w.events().send(1, CqWriter.WAIT, 6L << 32 | 9, 102L << 32 | 1);
        sim.run(500_000);
        assertThat(told).containsExactly("wait 3 6 102 0", "wait 3 4 100 1");
        w.events().send(sim.now() + 1, CqWriter.WAIT, 7L << 32, 103L << 32 | 2);
        long asked = sim.now() + 1;
        sim.run(asked + 4000 * CYCLES + 1);
        assertThat(told).hasSize(2);
        sim.run(asked + 4000 * CYCLES + 10);
        assertThat(told.get(2)).as("it had come, and is on its way by now").isEqualTo("wait 3 7 103 1");
    }

    @Test
    void whatHappensIsTold() {
        table.setEvents(new EqContext(0x7000, 4, 2));
        CqWriter w = run();
        w.events().send(1, CqWriter.HAPPENED, Eqe.WQ_CATAS, 0x33);
        w.events().send(1, CqWriter.BEHIND, Eqe.CMD, 0x44);
        sim.run(1_000_000);
        assertThat(writes).hasSize(4);
        assertThat(times.get(0)).isEqualTo(2);
        assertThat(Eqe.type(bytes(0))).isEqualTo(Eqe.WQ_CATAS);
        int second = writes.get(1).length == 64 ? 1 : 2;
        assertThat(Eqe.number(bytes(second))).isEqualTo(0x44);
        assertThat(times.get(second)).as("the longest way of a completion").isEqualTo(1 + 4000 * CYCLES + 2);
    }
}

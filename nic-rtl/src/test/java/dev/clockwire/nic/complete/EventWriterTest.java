package dev.clockwire.nic.complete;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.EqContext;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.pcie.endpoint.DmaWrite;
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

/** Entries of the event queue and the interrupts behind them: each at once, moderated, and with a consumer that is slow. */
class EventWriterTest {
    private static final long BASE = 0x5000;
    private static final int WRITTEN = 3;
    private static final int EXPIRED = 4;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private final ContextTable table = new ContextTable();
    private final Vectors vectors = new Vectors();
    private final List<String> writes = new ArrayList<>();
    private final List<String> timers = new ArrayList<>();
    private final HeldJourneys nobody = new HeldJourneys();
    private final SimModule owner = new SimModule(sim.root(), "owner", clock) {
        @Override
        protected boolean tick(long cycle) {
            return false;
        }
    };

    private static final class Vectors extends LoneParts.Nobody {
        boolean masked;
        int moderation;
        int consumed;

        @Override
        public boolean request(int vector) {
            assertThat(vector).isEqualTo(6);
            return !masked;
        }

        @Override
        public long address(int vector) {
            return 0xFEE0;
        }

        @Override
        public int data(int vector) {
            return 0x0403_0201;
        }

        @Override
        public int moderation(int eqn) {
            return moderation;
        }

        @Override
        public int consumed(int eqn) {
            return consumed;
        }
    }

    private EventWriter writer(Profile hardware) {
        DeviceParts parts = LoneParts.of(sim, clock, hardware, table, vectors);
        Inlet<DmaWrite> done = new Inlet<>(owner, "done", 64, 1);
        EventPort port = new EventPort(owner, "writes") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                DmaWrite w = (DmaWrite) Objects.requireNonNull(token);
                assertThat(w.done).isSameAs(done);
                assertThat(w.relaxed).isFalse();
                byte[] bytes = new byte[w.length];
                w.data.copyTo(0, bytes, 0, w.length);
                writes.add(
                        w.length == 4
                                ? now() + " irq " + Long.toHexString(w.address) + " " + bytes[0] + bytes[3]
                                : now() + " eqe " + Long.toHexString(w.address) + " " + Eqe.type(bytes) + "/"
                                        + Eqe.number(bytes) + " " + bytes[63]);
            }
        };
        EventPort timer = new EventPort(owner, "timer") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                timers.add(now() + " " + kind + " " + a);
            }
        };
        EventWriter writer = new EventWriter(port, done, parts, clock);
        writer.timer(timer, WRITTEN, EXPIRED);
        sim.elaborate();
        return writer;
    }

    private List<String> run(long until) {
        sim.run(until);
        List<String> all = List.copyOf(writes);
        writes.clear();
        return all;
    }

    private static Profile hardware(boolean moderation, int log) {
        return Profiles.named("cx7-400g")
                .with("nic.int.moderation", "" + moderation)
                .with("nic.eq.log_entries", "" + log);
    }

    @Test
    void nobodyHearsBeforeThereIsAQueue() {
        sim.enableJourneys(8);
        EventWriter w = writer(hardware(false, 0));
        HeldJourneys held = new HeldJourneys();
        held.add(5, 0, 1);
        assertThat(w.write(Eqe.COMP, 1, 10, held)).isTrue();
        assertThat(run(100)).isEmpty();
        assertThat(w.entries()).isZero();
        held.release(journal(sim), 50, held);
        assertThat(Objects.requireNonNull(sim.journeys()).size())
                .as("forgotten")
                .isZero();
    }

    private static Journal journal(Sim sim) {
        return new Journal(sim, 1);
    }

    /** A ring of two: the owner bit tells the laps apart; the message follows its entry. */
    @Test
    void eachEntryHasItsInterrupt() {
        table.setEvents(new EqContext(BASE, 1, 6));
        EventWriter w = writer(hardware(false, 0));
        assertThat(w.write(Eqe.COMP, 7, 10, nobody)).isTrue();
        assertThat(w.write(Eqe.CQ_ERROR, 0xABCDEF, 20, nobody)).isTrue();
        assertThat(w.write(Eqe.COMP, 8, 30, nobody)).isTrue();
        assertThat(run(100))
                .containsExactly(
                        "10 eqe 5000 0/7 0",
                        "11 irq fee0 14",
                        "20 eqe 5040 4/11259375 0",
                        "21 irq fee0 14",
                        "30 eqe 5000 0/8 1",
                        "31 irq fee0 14");
        assertThat(w.entries()).isEqualTo(3);
        assertThat(w.interrupts()).isEqualTo(3);
        vectors.masked = true;
        assertThat(w.write(Eqe.COMP, 9, 110, nobody)).isTrue();
        assertThat(run(200)).containsExactly("110 eqe 5040 0/9 1");
        assertThat(w.interrupts()).as("it is pending").isEqualTo(4);
        assertThat(timers).isEmpty();
    }

    @Test
    void aFullQueueLosesEntries() {
        table.setEvents(new EqContext(BASE, 1, 6));
        EventWriter w = writer(hardware(false, 1));
        assertThat(w.write(Eqe.COMP, 1, 10, nobody)).isTrue();
        assertThat(w.write(Eqe.COMP, 2, 20, nobody)).isTrue();
        assertThat(w.write(Eqe.COMP, 3, 30, nobody)).isFalse();
        assertThat(w.overruns()).isEqualTo(1);
        vectors.consumed = 1;
        assertThat(w.write(Eqe.COMP, 4, 40, nobody)).isTrue();
        assertThat(w.write(Eqe.COMP, 5, 50, nobody)).isFalse();
        assertThat(w.entries()).isEqualTo(3);
        assertThat(w.overruns()).isEqualTo(2);
        assertThat(run(100)).hasSize(6).contains("40 eqe 5000 0/4 1");
        Snapshot saved = new Snapshot();
        w.save(saved);
        saved.rewind();
        EventWriter copy = new EventWriter(
                new EventPort(another, "writes") {
                    @Override
                    protected void event(int kind, long a, long b, @Nullable Token token) {}
                },
                new Inlet<>(another, "done", 4, 1),
                parts(hardware(false, 1), anotherSim),
                anotherClock);
        copy.load(saved);
        assertThat(new long[] {copy.entries(), copy.interrupts(), copy.overruns()})
                .containsExactly(3, 3, 2);
    }

    private final Sim anotherSim = new Sim(SimSpec.of(1));
    private final Clock anotherClock = new Clock(anotherSim.root(), "clock", Frequency.mhz(250));
    private final SimModule another = new SimModule(anotherSim.root(), "owner", anotherClock) {
        @Override
        protected boolean tick(long cycle) {
            return false;
        }
    };

    private DeviceParts parts(Profile hardware, Sim other) {
        return LoneParts.of(other, anotherClock, hardware, table);
    }

    /** With moderation an interrupt waits for its period, or for so many entries; operations hear how long. */
    @Test
    void interruptsWaitAsTheRegisterSays() {
        sim.enableJourneys(16);
        table.setEvents(new EqContext(BASE, 2, 6));
        vectors.moderation = 2 << 24 | 10; // two entries, or ten cycles
        EventWriter w = writer(hardware(true, 0));
        HeldJourneys held = new HeldJourneys();
        held.add(5, 0, 1);
        assertThat(w.write(Eqe.COMP, 7, 10, held)).isTrue();
        assertThat(run(20)).containsExactly("10 eqe 5000 0/7 0");
        assertThat(timers).containsExactly("10 " + WRITTEN + " 0");
        w.entryWritten(20);
        assertThat(w.interrupts()).isZero();
        assertThat(run(44_001)).isEmpty();
        assertThat(timers.get(1)).as("the edge behind the entry, and ten more").isEqualTo("44000 " + EXPIRED + " 0");
        w.periodOver(1, sim.now());
        assertThat(w.interrupts()).as("another round's").isZero();
        w.periodOver(0, sim.now());
        assertThat(w.interrupts()).isEqualTo(1);
        assertThat(run(50_000)).containsExactly("44002 irq fee0 14");
        JourneyLog log = Objects.requireNonNull(sim.journeys());
        assertThat(log.size()).isEqualTo(2);
        assertThat(log.out(0)).as("until the entry").isEqualTo(10);
        assertThat(log.in(1)).isEqualTo(10);
        assertThat(log.out(1)).as("until the interrupt").isEqualTo(44_001);
        w.entryWritten(50_000);
        w.entryWritten(50_100);
        assertThat(w.interrupts()).as("two entries").isEqualTo(2);
        assertThat(run(60_000)).containsExactly("50101 irq fee0 14");
    }
}

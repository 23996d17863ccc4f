package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Inlets, asynchronous FIFOs, credit channels and outlets: when a word is visible. */
class CrossingTest {
    private final Sim sim = new Sim(SimSpec.of(1).withFullHash(true).withChecked(true));
    private final Clock clock = new Clock(sim.root(), "clk", Frequency.mhz(1000));
    private final LambdaModule reader = new LambdaModule(sim.root(), "reader", clock);
    private final List<String> seen = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"1,1,1", "1000,1,2", "1000,3,4", "1001,1,2", "1999,2,3", "63500,1,64", "200000,2,202"})
    void aWordIsVisibleAtTheSthEdgeStrictlyLater(long at, int depth, long cycle) {
        LongInlet in = new LongInlet(reader, "in", 4, depth);
        EventPort port = new EventPort(reader, "port") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token t) {
                in.write(a);
            }
        };
        reader.tick = n -> {
            if (!in.valid(n)) {
                return false;
            }
            seen.add(n + ":" + in.bits());
            in.take(n);
            return true;
        };
        port.send(at, 1, 42, 0);
        sim.run(300_000);
        assertThat(seen).containsExactly(cycle + ":42");
        assertThat(in.space()).isEqualTo(4);
    }

    @Test
    void anInletTakesSeveralWordsACycleAndNoMoreThanFit() {
        Inlet<TestToken> in = new Inlet<>(reader, "in", 3, 1);
        reader.tick = n -> {
            boolean any = in.valid(n);
            while (in.valid(n)) {
                seen.add(n + ":" + in.bits().x + in.take(n).x);
            }
            return any;
        };
        sim.run(10_500);
        for (int i = 0; i < 3; i++) {
            in.write(new TestToken(i, 0));
        }
        assertThat(in.space()).isZero();
        assertThatThrownBy(() -> in.write(new TestToken(9, 0)))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("reader.in: overrun: 3 words");
        assertThatThrownBy(() -> in.take(10)).hasMessageContaining("no word is visible");
        sim.run(20_000);
        assertThat(seen).containsExactly("11:00", "11:11", "11:22");
    }

    /** An inlet has places for few words at first, and makes more: nobody can tell, whatever was inside, and a snapshot neither. */
    @Test
    void anInletThatMakesRoomKeepsOrderAndTimes() {
        Inlet<TestToken> tokens = new Inlet<>(reader, "tokens", 1000, 2);
        LongInlet words = new LongInlet(reader, "words", 1000, 2);
        int[] most = {5};
        reader.tick = n -> {
            for (int i = 0; i < most[0] && words.valid(n); i++) {
                assertThat(tokens.valid(n)).isTrue();
                assertThat(tokens.take(n).x).isEqualTo(words.bits());
                seen.add(n + ":" + words.take(n));
            }
            return words.valid(n + 1);
        };
        EventPort port = new EventPort(reader, "port") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token t) {
                words.write(a);
                tokens.write(new TestToken(a, 0));
            }
        };
        List<String> wanted = new ArrayList<>();
        long[] taken = new long[400];
        for (int i = 0; i < taken.length; i++) {
            long at = i < 11 ? 100 + 1_000L * i : 20_000 + 50L * i; // one by one, then faster than they are taken
            port.send(at, 1, i, 0);
            taken[i] = Math.max(at / 1_000 + 2, i < 5 ? 0 : taken[i - 5] + 1);
            wanted.add(taken[i] + ":" + i);
        }
        sim.run(35_000);
        assertThat(words.occupancy()).isGreaterThan(100);
        Snapshot half = sim.save();
        int before = seen.size();
        sim.run(200_000);
        assertThat(seen).isEqualTo(wanted);
        sim.restore(half);
        seen.subList(before, seen.size()).clear();
        sim.run(200_000);
        assertThat(seen).isEqualTo(wanted);
    }

    @Test
    void anAsyncFifoShowsWordsAndRoomThroughSynchronisers() {
        Clock slow = new Clock(sim.root(), "slow", Frequency.mhz(250), 1);
        LambdaModule writer = new LambdaModule(sim.root(), "writer", slow);
        AsyncFifo<TestToken> fifo =
                new AsyncFifo<TestToken>(sim.root(), "fifo", 1, 2).from(writer).to(reader);
        writer.tick = n -> {
            if (!fifo.ready(n)) {
                return false;
            }
            seen.add("put " + slow.edge());
            fifo.put(n, new TestToken(n, 0));
            assertThatThrownBy(() -> fifo.put(n, new TestToken(n, 0))).isInstanceOf(InvariantViolation.class);
            return true;
        };
        reader.tick = n -> {
            if (!fifo.valid(n)) {
                return false;
            }
            assertThat(fifo.bits().x).isEqualTo(fifo.take(n).x);
            seen.add("take " + clock.edge());
            return true;
        };
        sim.run(20_000);
        // written at 1: edges 1000 and 2000; freed at 2000: edges 4001 and 8001
        assertThat(seen).containsExactly("put 1", "take 2000", "put 8001", "take 10000", "put 16001", "take 18000");
    }

    @Test
    void aCreditChannelReturnsCredits() {
        LambdaModule writer = new LambdaModule(sim.root(), "writer", clock);
        CreditChannel<TestToken> c = new CreditChannel<TestToken>(sim.root(), "c", clock, 2, 3, 2)
                .from(writer)
                .to(reader);
        writer.tick = n -> {
            if (!c.ready(n)) {
                return false;
            }
            seen.add("put " + n + " of " + c.credits(n));
            c.put(n, new TestToken(n, 0));
            assertThat(c.ready(n)).isFalse();
            return true;
        };
        reader.tick = n -> {
            if (!c.valid(n)) {
                return false;
            }
            assertThat(c.bits().x).isEqualTo(c.take(n).x);
            assertThatThrownBy(() -> c.take(n)).hasMessageContaining("the second");
            seen.add("take " + n);
            return true;
        };
        sim.run(8_000);
        assertThat(seen).containsExactly("put 0 of 2", "put 1 of 1", "take 3", "take 4", "put 5 of 1", "put 6 of 1");
        assertThatThrownBy(() -> c.put(8, new TestToken(0, 0))).hasMessageContaining("c: put in cycle 8");
    }

    @Test
    void anOutletKeepsOrder() {
        List<String> got = new ArrayList<>();
        SimNode link = new SimNode(sim.root(), "link") {};
        EventPort port = new EventPort(link, "in") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token t) {
                got.add(now() + ":" + kind + ":" + a + ":" + b);
            }
        };
        Outlet out = new Outlet(reader, port, 7, 500);
        reader.tick = n -> {
            if (n == 0) {
                out.writeAfter(5_000, 1, 0, new TestToken(0, 0));
            }
            if (n == 1) {
                out.write(2, 9, new TestToken(0, 0));
            }
            if (n == 10) {
                assertThat(out.write(3, 0, new TestToken(0, 0))).isEqualTo(10_500);
            }
            return n <= 10;
        };
        sim.run(20_000);
        assertThat(got).containsExactly("5000:7:1:0", "5000:7:2:9", "10500:7:3:0");
        assertThatThrownBy(() -> new Outlet(reader, port, 7, 0)).hasMessageContaining("delay 0");
    }

    @Test
    void beatsOfATokenOnABus() {
        Beats bus = new Beats(32);
        assertThat(bus.count(0)).isEqualTo(1);
        assertThat(bus.count(32)).isEqualTo(1);
        assertThat(bus.count(33)).isEqualTo(2);
        assertThat(bus.lastBeat(10, 1500)).isEqualTo(10 + 47 - 1);
        assertThat(Beats.storeAndForward(56)).isEqualTo(57);
        assertThat(bus.cutThrough(12, 64, 11)).isEqualTo(13);
        assertThat(bus.cutThrough(12, 64, 40)).isEqualTo(40);
    }
}

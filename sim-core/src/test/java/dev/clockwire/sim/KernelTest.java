package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.Signals;
import dev.clockwire.sim.trace.WaveSink;
import dev.clockwire.sim.trace.WaveSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a simulation keeps: tokens, streams, what is pending across a snapshot, long silences, and random orders for tests. */
class KernelTest {
    private final List<String> seen = new ArrayList<>();

    static Stream<SimSpec> specs() {
        SimSpec s = SimSpec.of(1);
        SimSpec plain = s.withMode(KernelMode.EXHAUSTIVE);
        return Stream.of(s, plain, s.withShuffle(7, 5), plain.withShuffle(7, 5), s.withLoop(LoopKind.SPECIALISED));
    }

    private EventPort port(Scope scope, String name) {
        return new EventPort(new SimNode(scope, name) {}, "p") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                seen.add(now() + " " + name + " " + a + (token instanceof TestToken t ? " token " + t.x : ""));
            }
        };
    }

    @ParameterizedTest
    @MethodSource("specs")
    void pendingEventsAndStreamsComeBack(SimSpec spec) {
        Sim sim = new Sim(spec);
        EventPort p = port(sim.root(), "n");
        EventPort q = port(sim.root(), "m");
        RandomStream r = sim.random("r");
        Probe probe = new Probe(sim.root(), "probe");
        sim.elaborate();
        for (int i = 0; i < 4; i++) {
            q.send(100, 1, 10 + i, 0);
            p.send(100, 1, i, 0, i % 2 == 0 ? new TestToken(i, 0) : null);
        }
        p.send(10, 1, 9, 0);
        sim.run(50);
        probe.fold(50, 1, 2);
        r.nextLong();
        Snapshot s = sim.save();
        long events = sim.events();
        long hash = sim.traceHash();
        seen.clear();
        sim.run(200);
        probe.fold(60, 1, 3);
        final long next = r.nextLong();
        final List<String> rest = List.copyOf(seen);
        assertThat(rest)
                .containsExactly(
                        "100 n 0 token 0",
                        "100 n 1",
                        "100 n 2 token 2",
                        "100 n 3",
                        "100 m 10",
                        "100 m 11",
                        "100 m 12",
                        "100 m 13");
        for (int again = 0; again < 2; again++) {
            p.send(sim.now() + 5, 1, 77, 0);
            sim.restore(s);
            assertThat(sim.events()).isEqualTo(events).isEqualTo(1);
            assertThat(sim.traceHash()).isEqualTo(hash);
            seen.clear();
            p.send(100, 1, 4, 0);
            sim.run(300);
            assertThat(seen).hasSize(9).startsWith(rest.subList(0, 4).toArray(new String[0]));
            assertThat(seen.get(4)).as("sent after the others").isEqualTo("100 n 4");
            assertThat(r.nextLong()).isEqualTo(next);
        }
    }

    @ParameterizedTest
    @MethodSource("specs")
    void whatIsSentBeforeElaborationOrBetweenRunsArrives(SimSpec spec) {
        Sim sim = new Sim(spec);
        EventPort b = port(sim.root(), "b");
        EventPort a = port(sim.root(), "a");
        a.send(7, 1, 1, 0);
        b.send(7, 1, 2, 0);
        Timer t = new Timer(b.target(), "t") {
            @Override
            protected void expired(long at) {
                seen.add(at + " timer");
            }
        };
        t.arm(9);
        t.arm(6);
        sim.run(8);
        a.send(20, 1, 3, 0);
        assertThat(sim.runUntil(() -> seen.size() == 4, 30)).isTrue();
        assertThat(sim.now()).isEqualTo(20);
        assertThat(seen).containsExactly("6 timer", "7 b 2", "7 a 1", "20 a 3");
        a.send(30, 1, 4, 0);
        a.send(29, 1, 5, 0);
        assertThat(sim.runUntil(() -> false, 30)).isFalse();
        assertThat(sim.now()).isEqualTo(30);
        assertThat(seen).last().isEqualTo("29 a 5");
        sim.run(31);
        assertThat(seen).last().isEqualTo("30 a 4");
    }

    @Test
    void aLongSilenceEndsOnTime() {
        Sim sim = new Sim(SimSpec.of(1).withWatchdogPs(700_000_000));
        EventPort p = port(sim.root(), "n");
        LambdaModule m = new LambdaModule(sim.root(), "m", new Clock(sim.root(), "c", Frequency.mhz(1000)));
        m.tick = n -> {
            seen.add("tick " + n);
            return false;
        };
        p.send(5_000_000_123L, 1, 0, 0);
        m.at(3_000_000);
        sim.run(6_000_000_000L);
        assertThat(seen).containsExactly("tick 0", "tick 3000000", "5000000123 n 0");
        assertThat(sim.now()).isEqualTo(6_000_000_000L);
        sim.limit(8_000_000_000L);
        assertThatThrownBy(() -> sim.run(9_000_000_000L)).hasMessageContaining("limit");
        assertThat(sim.now()).isEqualTo(8_000_000_000L);
        assertThatThrownBy(() -> sim.runUntil(() -> true, 1)).hasMessageContaining("inside a run, or after");
    }

    @Test
    void randomOrdersReachEveryOrder() {
        Set<List<String>> modules = new HashSet<>();
        Set<List<String>> clocks = new HashSet<>();
        for (int seed = 1; seed < 60; seed++) {
            Sim sim = new Sim(SimSpec.of(1).withShuffle(seed, 0));
            for (String c : new String[] {"x", "y"}) {
                Clock clock = new Clock(sim.root(), c, Frequency.mhz(1000));
                for (int i = 0; i < 3; i++) {
                    String name = c + i;
                    LambdaModule m = new LambdaModule(sim.root(), name, clock);
                    m.tick = n -> {
                        seen.add(name);
                        return true;
                    };
                }
            }
            for (int edge = 0; edge < 3; edge++) {
                seen.clear();
                sim.run(1 + 1000L * edge);
                assertThat(seen).containsExactlyInAnyOrder("x0", "x1", "x2", "y0", "y1", "y2");
                modules.add(seen.stream().filter(s -> s.startsWith("x")).toList());
                clocks.add(List.of(seen.get(0).substring(0, 1)));
            }
            assertThat(sim.evaluations()).isEqualTo(18);
        }
        assertThat(modules).hasSize(6);
        assertThat(clocks).hasSize(2);
    }

    @Test
    void aShuffleMovesOnlyTheFirstElements() {
        Shuffle shuffle = new Shuffle(1);
        Set<List<Object>> orders = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            Object[] x = {1, 2, 3, 4, 5};
            shuffle.prefix(x, 3);
            assertThat(List.of(x).subList(3, 5)).containsExactly(4, 5);
            orders.add(List.of(x));
        }
        assertThat(orders).hasSize(6);
    }

    @Test
    void theTraceHashDoesNotDependOnTheOrderOfBuilding() {
        long[] hashes = new long[2];
        for (int i = 0; i < 2; i++) {
            Sim sim = new Sim(SimSpec.of(1));
            Probe first = new Probe(sim.root(), i == 0 ? "a" : "b");
            Probe second = new Probe(sim.root(), i == 0 ? "b" : "a");
            (i == 0 ? first : second).fold(1, 2, 3);
            (i == 0 ? second : first).fold(4, 5, 6);
            hashes[i] = sim.traceHash();
        }
        assertThat(hashes[0]).isEqualTo(hashes[1]).isNotZero();
    }

    @Test
    void partsCanBeFound() {
        Sim sim = new Sim(SimSpec.of(1));
        Clock clock = new Clock(sim.root(), "clk", Frequency.mhz(1000));
        LambdaModule m = new LambdaModule(sim.root(), "m", clock);
        LongChannel z = new LongChannel(sim.root(), "z", clock, 1).from(m).to(m);
        LongChannel b = new LongChannel(sim.root(), "b", clock, 1).from(m).to(m);
        new LongInlet(m, "in", 1, 1);
        assertThat(sim.wires()).containsExactly(z, b);
        WaveSource source = new WaveSource() {
            @Override
            public String path() {
                return "m.fsm";
            }

            @Override
            public void trace(Signals signals, WaveSink sink, long ps) {}
        };
        sim.addWaveSource(source);
        assertThat(sim.waveSources()).containsExactly(source);
        assertThatThrownBy(() -> sim.addWaveSource(source)).hasMessageContaining("m.fsm: this name exists already");
        assertThat(m.stageId("queue")).isEqualTo(sim.stages().id("queue")).isNotEqualTo(m.stageId("other"));
        m.stamp(3, 1, 0, 10, 20, 2);
        sim.enableJourneys(4);
        m.stamp(3, 1, 0, 10, 20, 2);
        assertThat(Objects.requireNonNull(sim.journeys()).size()).isEqualTo(1);
    }
}

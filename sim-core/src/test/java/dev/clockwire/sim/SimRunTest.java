package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs, their ends, the watchdog, and what a snapshot refuses. */
class SimRunTest {
    private final Sim sim = new Sim(SimSpec.of(1).withWatchdogPs(1_000_000));
    private final Clock clock = new Clock(sim.root(), "clk", Frequency.mhz(1000));
    private final Node node = new Node(sim.root(), "node");
    private final List<String> seen = new ArrayList<>();

    private static final class Node extends SimNode {
        private @Nullable String waits;
        private @Nullable String blocks;

        Node(Scope parent, String name) {
            super(parent, name);
        }

        @Override
        protected @Nullable String waitsFor() {
            return waits;
        }

        @Override
        protected @Nullable String snapshotBlocker() {
            return blocks;
        }
    }

    private EventPort port(SimNode target, String name) {
        return new EventPort(target, name) {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                seen.add(now() + " " + name + " " + kind + " " + a + " " + b);
            }
        };
    }

    @Test
    void tiesAreOrderedByNodeAndPortAndSending() {
        Node second = new Node(sim.root(), "second");
        EventPort c = port(second, "c");
        EventPort a = port(node, "a");
        EventPort b = port(node, "b");
        c.send(10, 0, 1, 0);
        b.send(10, 1, 2, 0);
        a.send(10, 126, 3, 4);
        a.send(10, 2, 5, 0);
        a.send(9, 3, 6, 0);
        sim.run(11);
        assertThat(seen).containsExactly("9 a 3 6 0", "10 a 126 3 4", "10 a 2 5 0", "10 b 1 2 0", "10 c 0 1 0");
        assertThat(sim.events()).isEqualTo(5);
        assertThat(a.target()).isSameAs(node);
        assertThat(a.path()).isEqualTo("node.a");
        assertThatThrownBy(() -> a.send(11, 0, 0, 0))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("node.a: event sent for 11 ps");
        assertThatThrownBy(() -> a.send(20, 127, 0, 0)).hasMessageContaining("kind 127 is not in 0..126");
        assertThatThrownBy(() -> a.send(20, -1, 0, 0)).hasMessageContaining("kind -1");
    }

    @ParameterizedTest
    @EnumSource(KernelMode.class)
    void aRunEndsBeforeItsEnd(KernelMode mode) {
        Sim s = new Sim(SimSpec.of(1).withMode(mode));
        Node n = new Node(s.root(), "n");
        EventPort p = port(n, "p");
        p.send(100, 0, 0, 0);
        s.run(100);
        assertThat(seen).isEmpty();
        assertThat(s.now()).isEqualTo(100);
        s.run(101);
        assertThat(seen).hasSize(1);
        p.send(200, 0, 1, 0);
        p.send(300, 0, 2, 0);
        assertThat(s.runUntil(() -> seen.size() == 2, 1000)).isTrue();
        assertThat(s.now()).isEqualTo(200);
        assertThat(s.runUntil(() -> true, 1000)).isTrue();
        assertThat(s.now()).isEqualTo(200);
        assertThat(s.runUntil(() -> false, 250)).isFalse();
        assertThat(s.now()).isEqualTo(250);
        s.limit(260);
        assertThatThrownBy(() -> s.run(400)).hasMessageContaining("limit");
        assertThat(seen).hasSize(2);
    }

    /** However a run is ended, somebody looks between two instants when it is time, and it ends where it would have ended. */
    @ParameterizedTest
    @EnumSource(KernelMode.class)
    void somebodyLooksOverTheTimeOfAllRuns(KernelMode mode) {
        Sim s = new Sim(SimSpec.of(1).withMode(mode));
        Node n = new Node(s.root(), "n");
        EventPort p = new EventPort(n, "p") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                seen.add(now() + " event");
                if (a > 0) {
                    send(now() + 15, 0, a - 1, 0, null);
                } else {
                    s.stop();
                }
            }
        };
        s.look(new Looker() {
            private long next = 20;

            @Override
            public long nextPs() {
                return next;
            }

            @Override
            public void look(long ps) {
                seen.add(ps + " look");
                next = ps + 20;
            }
        });
        p.send(10, 0, 2, 0);
        s.run(30);
        assertThat(seen).containsExactly("10 event", "20 look", "25 event");
        assertThat(s.runUntilStopped(100)).isTrue();
        assertThat(s.now()).isEqualTo(40);
        assertThat(s.runUntil(() -> seen.size() == 5, 47)).isTrue();
        assertThat(s.now()).isEqualTo(40);
        assertThat(s.runUntil(() -> false, 61)).isFalse();
        assertThat(s.now()).isEqualTo(61);
        assertThat(seen).containsExactly("10 event", "20 look", "25 event", "40 look", "40 event", "60 look");
    }

    @Test
    void aRunInsideARunIsRefused() {
        LambdaModule m = new LambdaModule(sim.root(), "m", clock);
        m.tick = n -> {
            sim.run(100_000);
            return true;
        };
        assertThatThrownBy(() -> sim.run(1_000))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("inside a run");
    }

    @Test
    void theWatchdogSaysWhoWaitsForWhom() {
        LambdaModule p = new LambdaModule(sim.root(), "p", clock);
        LambdaModule q = new LambdaModule(sim.root(), "q", clock);
        LongChannel c = new LongChannel(sim.root(), "c", clock, 2).from(p).to(q);
        CreditChannel<TestToken> cr = new CreditChannel<TestToken>(sim.root(), "cr", clock, 1, 1, 1)
                .from(p)
                .to(q);
        LongInlet in = new LongInlet(q, "in", 2, 1);
        node.waits = "a completion";
        p.tick = n -> {
            if (n == 5) {
                cr.put(n, new TestToken(0, 0));
            }
            if (n == 5 || n == 7) {
                c.put(n, n);
            }
            return n < 8;
        };
        sim.run(20_000);
        in.write(3);
        assertThatThrownBy(() -> sim.run(10_000_000))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("no progress since 1000.000 ns")
                .hasMessageContaining("c holds 2 of 2 for q since 6.000 ns, and is full: p waits for room")
                .hasMessageContaining("cr holds 1 of 1 for q since 6.000 ns, and p waits for a credit")
                .hasMessageContaining("q.in holds 1 of 2 for q since 20.000 ns")
                .hasMessageContaining("node waits for a completion");
        assertThat(sim.now()).isEqualTo(2_000_000);
    }

    @Test
    void anIdleSimulationIsNotStalled() {
        new LambdaModule(sim.root(), "m", clock);
        sim.run(10_000_000);
        assertThat(sim.now()).isEqualTo(10_000_000);
        assertThat(sim.evaluations()).isEqualTo(1);
    }

    @Test
    void aSnapshotNamesWhatCannotBeRecorded() {
        node.blocks = "a host program is running";
        assertThatThrownBy(sim::save)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("node: no snapshot possible: a host program is running");
    }

    @Test
    void aSnapshotOfAnotherDesignIsRefused() {
        Snapshot s = sim.save();
        Sim other = new Sim(SimSpec.of(1));
        new Clock(other.root(), "clk", Frequency.mhz(1000));
        new Node(other.root(), "another");
        assertThatThrownBy(() -> other.restore(s)).isInstanceOf(InvariantViolation.class);
    }

    @Test
    void dueTimersAndStatisticsSurviveASnapshot() {
        List<Long> fired = new ArrayList<>();
        Timer t = new Timer(node, "t") {
            @Override
            protected void expired(long at) {
                fired.add(at);
            }
        };
        var counter = node.counter("frames", "frames", "frames seen");
        sim.elaborate();
        t.arm(500);
        counter.add(3);
        sim.run(500);
        Snapshot s = sim.save();
        sim.run(1000);
        counter.add(4);
        assertThat(t.armed()).isFalse();
        sim.restore(s);
        assertThat(t.deadline()).isEqualTo(500);
        assertThat(sim.stats().value("node.frames")).isEqualTo(3);
        sim.run(1000);
        assertThat(fired).containsExactly(500L, 500L);
        assertThatThrownBy(() -> t.arm(1000))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("node.t");
        assertThatThrownBy(() -> t.event(0, 0, 0, null)).hasMessageContaining("takes no events");
    }

    @Test
    void theTraceHashDependsOnEachObservation() {
        List<Long> hashes = new ArrayList<>();
        for (int variant = 0; variant < 5; variant++) {
            Sim s = new Sim(SimSpec.of(1));
            Probe p = new Probe(s.root(), variant == 4 ? "b" : "a");
            p.fold(variant == 1 ? 11 : 10, variant == 2 ? 2 : 1, variant == 3 ? 6 : 5);
            assertThat(p.count()).isEqualTo(1);
            hashes.add(s.traceHash());
        }
        assertThat(hashes).doesNotHaveDuplicates();
    }

    @Test
    void timeDoesNotGoBack() {
        sim.run(1000);
        sim.run(1000);
        assertThatThrownBy(() -> sim.run(999))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("999 ps")
                .hasMessageContaining("1000 ps");
        assertThatThrownBy(() -> sim.runUntil(() -> false, 0)).isInstanceOf(ConfigurationException.class);
        sim.run(2000);
        assertThat(sim.now()).isEqualTo(2000);
    }
}

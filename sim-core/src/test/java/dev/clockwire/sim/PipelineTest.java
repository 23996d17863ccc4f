package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A source, a stage and a sink: what is visible when, in every mode. */
class PipelineTest {
    private static final Frequency GHZ = Frequency.mhz(1000);

    static List<SimSpec> specs() {
        SimSpec s = SimSpec.of(1);
        return List.of(
                s.withLoop(LoopKind.PLAIN),
                s.withLoop(LoopKind.SPECIALISED),
                s.withMode(KernelMode.EXHAUSTIVE),
                s.withChecked(true),
                s.withShuffle(5, 6));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void aWordIsVisibleOneCycleAfterThePut(SimSpec spec) {
        Sim sim = new Sim(spec);
        Clock clock = new Clock(sim.root(), "clk", GHZ);
        LongChannel a = new LongChannel(sim.root(), "a", clock, 2);
        LongChannel b = new LongChannel(sim.root(), "b", clock, 2);
        new Source(sim.root(), clock, a);
        new Stage(sim.root(), clock, a, b);
        Sink sink = new Sink(sim.root(), clock, b);
        sim.run(8_000);
        assertThat(sink.arrivals.log).containsExactly("2:0", "3:1", "4:2", "5:3", "6:4", "7:5");
        assertThat(sim.now()).isEqualTo(8_000);
        assertThat(clock.cycle()).isEqualTo(7);
    }

    @ParameterizedTest
    @MethodSource("specs")
    void aRunGoesBackToASnapshot(SimSpec spec) {
        Sim sim = new Sim(spec);
        Clock clock = new Clock(sim.root(), "clk", GHZ);
        LongChannel a = new LongChannel(sim.root(), "a", clock, 2);
        new Source(sim.root(), clock, a);
        Sink sink = new Sink(sim.root(), clock, a);
        sim.run(3_000);
        Snapshot half = sim.save();
        sim.run(5_000);
        assertThat(sink.arrivals.log).containsExactly("1:0", "2:1", "3:2", "4:3");
        sim.restore(half);
        assertThat(sink.arrivals.log).containsExactly("1:0", "2:1");
        sim.run(5_000);
        assertThat(sink.arrivals.log).containsExactly("1:0", "2:1", "3:2", "4:3");
    }

    @Test
    void modulesSleepWhenNothingMoves() {
        Sim sim = new Sim(SimSpec.of(1));
        Clock clock = new Clock(sim.root(), "clk", GHZ);
        LongChannel a = new LongChannel(sim.root(), "a", clock, 2);
        new Source(sim.root(), clock, a);
        new SimModule(sim.root(), "deaf", clock) {
            {
                a.to(this);
            }

            @Override
            protected boolean tick(long cycle) {
                return false;
            }
        };
        sim.run(1_000_000);
        assertThat(sim.evaluations()).isLessThan(10);
    }

    private static final class Source extends SimModule {
        private final LongChannel out;
        private long next;

        Source(Scope parent, Clock clock, LongChannel out) {
            super(parent, "source", clock);
            this.out = out.from(this);
            state(new State() {
                @Override
                public void save(Snapshot s) {
                    s.putLong(next);
                }

                @Override
                public void load(Snapshot s) {
                    next = s.getLong();
                }
            });
        }

        @Override
        protected boolean tick(long cycle) {
            if (!out.ready(cycle)) {
                return false;
            }
            out.put(cycle, next++);
            return true;
        }
    }

    private static final class Stage extends SimModule {
        private final LongChannel in;
        private final LongChannel out;

        Stage(Scope parent, Clock clock, LongChannel in, LongChannel out) {
            super(parent, "stage", clock);
            this.in = in.to(this);
            this.out = out.from(this);
        }

        @Override
        protected boolean tick(long cycle) {
            if (!in.valid(cycle) || !out.ready(cycle)) {
                return false;
            }
            out.put(cycle, in.take(cycle));
            return true;
        }
    }

    private static final class Sink extends SimModule {
        private final LongChannel in;
        private final Arrivals arrivals = state(new Arrivals());

        Sink(Scope parent, Clock clock, LongChannel in) {
            super(parent, "sink", clock);
            this.in = in.to(this);
        }

        @Override
        protected boolean tick(long cycle) {
            if (!in.valid(cycle)) {
                return false;
            }
            arrivals.log.add(cycle + ":" + in.take(cycle));
            return true;
        }
    }

    private static final class Arrivals implements State {
        private final List<String> log = new ArrayList<>();

        @Override
        public void save(Snapshot s) {
            s.putInt(log.size());
            log.forEach(s::putString);
        }

        @Override
        public void load(Snapshot s) {
            log.clear();
            for (int n = s.getInt(); n > 0; n--) {
                log.add(s.getString());
            }
        }
    }
}

package dev.clockwire.sim.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.export.VcdReader;
import dev.clockwire.sim.export.WaveJson;
import dev.clockwire.sim.fsm.Fsm;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.List;
import org.junit.jupiter.api.Test;

class WavesTest {
    private enum Phase {
        EVEN,
        ODD
    }

    /** Puts a number every fourth cycle. */
    private static final class Source extends SimModule implements State {
        private final LongChannel out;
        private long next;

        Source(Scope parent, Clock clock, LongChannel out) {
            super(parent, "source", clock);
            this.out = out.from(this);
            state(this);
            wake();
        }

        @Override
        protected boolean tick(long cycle) {
            if (cycle % 4 == 0) {
                out.put(cycle, ++next);
            }
            wakeAt(cycle / 4 * 4 + 4);
            return cycle % 4 == 0;
        }

        @Override
        public void save(Snapshot s) {
            s.putLong(next);
        }

        @Override
        public void load(Snapshot s) {
            next = s.getLong();
        }
    }

    /** Turns each number into a token. */
    private static final class Wrap extends SimModule {
        private final LongChannel in;
        private final Channel<Item> out;
        private final Fsm<Phase> fsm = state(
                new Fsm<>(this, "phase", Phase.EVEN).edge(Phase.EVEN, Phase.ODD).edge(Phase.ODD, Phase.EVEN));

        Wrap(Scope parent, Clock clock, LongChannel in, Channel<Item> out) {
            super(parent, "wrap", clock);
            this.in = in.to(this);
            this.out = out.from(this);
        }

        @Override
        protected boolean tick(long cycle) {
            if (!in.valid(cycle) || !out.ready(cycle)) {
                return false;
            }
            Item item = new Item();
            item.journey = in.take(cycle);
            out.put(cycle, item);
            fsm.go(fsm.now() == Phase.EVEN ? Phase.ODD : Phase.EVEN);
            return true;
        }
    }

    private static final class Sink extends SimModule {
        private final Channel<Item> in;

        Sink(Scope parent, Clock clock, Channel<Item> in) {
            super(parent, "sink", clock);
            this.in = in.to(this);
        }

        @Override
        protected boolean tick(long cycle) {
            if (!in.valid(cycle)) {
                return false;
            }
            in.take(cycle);
            return true;
        }
    }

    private static final class Item extends Token {
        @Override
        protected Token copy() {
            return new Item();
        }
    }

    private static Sim design(SimSpec spec) {
        Sim sim = new Sim(spec);
        Scope nic = sim.root().scope("host0").scope("nic");
        Clock clock = new Clock(sim.root(), "clk", Frequency.mhz(1000));
        LongChannel numbers = new LongChannel(nic, "numbers", clock, 2);
        Channel<Item> items = new Channel<>(nic.scope("tx"), "items", clock, 1);
        new Source(nic, clock, numbers);
        new Wrap(nic, clock, numbers, items);
        new Sink(nic, clock, items);
        return sim;
    }

    private static String run(SimSpec spec, String scope, long from, long to) {
        Sim sim = design(spec);
        Waves waves = new Waves(sim, scope);
        StringBuilder out = new StringBuilder();
        waves.writeTo(out, from, to);
        sim.run(10_001);
        waves.finish();
        return out.toString();
    }

    @Test
    void aChannelLooksLikeTheRegistersBehindIt() {
        String text = run(SimSpec.of(1), "numbers", 0, Long.MAX_VALUE);
        assertThat(text.substring(text.indexOf("$scope"))).isEqualTo("""
            $scope module host0 $end
            $scope module nic $end
            $scope module numbers $end
            $var wire 2 ! occupancy [1:0] $end
            $var wire 1 " valid $end
            $var wire 1 # ready $end
            $var wire 64 $ bits [63:0] $end
            $upscope $end
            $upscope $end
            $upscope $end
            $enddefinitions $end
            #0
            $dumpvars
            b1 !
            1"
            1#
            b1 $
            $end
            #1000
            b0 !
            0"
            #4000
            b1 !
            1"
            b10 $
            #5000
            b0 !
            0"
            #8000
            b1 !
            1"
            b11 $
            #9000
            b0 !
            0"
            #10001
            """);
    }

    @Test
    void neitherTheModeNorTheOrderOfEvaluationShows() {
        String text = run(SimSpec.of(1), "", 0, Long.MAX_VALUE);
        assertThat(text).contains(" journey [63:0]").contains(" phase [31:0]").contains("$var wire 1 ");
        assertThat(run(SimSpec.of(1).withMode(KernelMode.EXHAUSTIVE), "", 0, Long.MAX_VALUE))
                .isEqualTo(text);
        for (int seed = 1; seed < 6; seed++) {
            assertThat(run(SimSpec.of(1).withShuffle(seed, seed), "", 0, Long.MAX_VALUE))
                    .isEqualTo(text);
        }
    }

    @Test
    void scopesAreFoundByPathOrLastName() {
        Sim sim = design(SimSpec.of(1));
        assertThat(new Waves(sim, "host0.nic.tx").signals()).isEqualTo(4);
        sim = design(SimSpec.of(1));
        assertThat(new Waves(sim, "wrap").signals()).isEqualTo(1);
        sim = design(SimSpec.of(1));
        assertThat(new Waves(sim, "nic").signals()).isEqualTo(9);
        Sim two = design(SimSpec.of(1));
        assertThatThrownBy(() -> new Waves(two, "item"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("there is no scope item");
        assertThatThrownBy(() -> new Waves(two, "nic.tz")).hasMessageContaining("did you mean nic.tx?");
        assertThatThrownBy(() -> new Waves(two, "somethingElse")).hasMessageContaining("; known are host0, ");
        new LongChannel(
                two.root().scope("host1").scope("nic"), "numbers", new Clock(two.root(), "c2", Frequency.mhz(1)), 1);
        assertThat(new Waves(two, "nic").signals()).isEqualTo(9 + 4);
    }

    @Test
    void theTimeBeforeAFailureIsKept() {
        Sim sim = design(SimSpec.of(1));
        Waves waves = new Waves(sim, "numbers");
        waves.keep(2_000, 1 << 10);
        sim.run(9_500);
        StringBuilder out = new StringBuilder();
        waves.dump(out);
        String text = out.toString();
        assertThat(text.substring(text.indexOf("#7"))).isEqualTo("""
            #7000
            $dumpvars
            b0 !
            0"
            1#
            b10 $
            $end
            #8000
            b1 !
            1"
            b11 $
            #9000
            b0 !
            0"
            #9500
            """);
        assertThatThrownBy(waves::finish).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> waves.writeTo(out, 0, 1)).hasMessageContaining("twice");
        assertThatThrownBy(() -> new Waves(design(SimSpec.of(1)), "").dump(out)).isInstanceOf(InvariantViolation.class);
    }

    @Test
    void watchingChangesNothing() {
        Sim plain = design(SimSpec.of(1).withFullHash(true));
        plain.run(10_001);
        Sim watched = design(SimSpec.of(1).withFullHash(true));
        Waves waves = new Waves(watched, "");
        waves.writeTo(new StringBuilder(), 2_000, 3_000);
        watched.run(10_001);
        assertThat(watched.traceHash()).isEqualTo(plain.traceHash());
        assertThat(watched.evaluations()).isEqualTo(plain.evaluations());
    }

    @Test
    void aWindowIsATimingDiagram() {
        Sim sim = design(SimSpec.of(1));
        Waves waves = new Waves(sim, "");
        WaveJson diagram = waves.sample(4000, 1000, 6);
        sim.run(20_000);
        StringBuilder out = new StringBuilder();
        diagram.write(out, diagram.moving());
        assertThat(out.toString().replaceAll("\\s+", "")).isEqualTo("""
            {
              "signal": [
                { "name": "clk", "wave": "p....." },
                { "name": "wrap.phase", "wave": "==...=", "data": [ "ODD", "EVEN", "ODD" ] },
                [ "numbers",
                  { "name": "occupancy", "wave": "==..==", "data": [ "1", "0", "1", "0" ] },
                  { "name": "valid", "wave": "10..10" },
                  { "name": "bits", "wave": "=...=.", "data": [ "2", "3" ] } ],
                [ "tx.items",
                  { "name": "occupancy", "wave": "010..1" },
                  { "name": "valid", "wave": "010..1" },
                  { "name": "ready", "wave": "101..0" },
                  { "name": "journey", "wave": "==...=", "data": [ "1", "2", "3" ] } ]
              ],
              "head": { "text": "host0.nic from 4.0 ns, a cycle is 1.0 ns", "tick": 0 }
            }
            """.replaceAll("\\s+", ""));
    }

    /** A dump and a diagram of the same run say the same of each cycle. */
    @Test
    void aDiagramShowsWhatTheDumpSays() {
        VcdReader dump = VcdReader.parse(run(SimSpec.of(1), "numbers", 0, Long.MAX_VALUE));
        Sim sim = design(SimSpec.of(1));
        Waves waves = new Waves(sim, "numbers");
        WaveJson diagram = waves.sample(2500, 1000, 512);
        sim.run(600_000);
        StringBuilder out = new StringBuilder();
        diagram.write(out, List.of(1));
        String wave = out.toString().replaceAll("(?s).*\"numbers.valid\",\\s*\"wave\": \"([^\"]*)\".*", "$1");
        assertThat(wave).hasSize(512);
        char level = '?';
        for (int c = 0; c < 8; c++) {
            level = wave.charAt(c) == '.' ? level : wave.charAt(c);
            String now = "0";
            for (String change : dump.changes("host0.nic.numbers.valid")) {
                String[] at = change.split("=", -1);
                now = Long.parseLong(at[0]) <= 2500 + c * 1000L ? at[1] : now;
            }
            assertThat(String.valueOf(level)).as("cycle " + c).isEqualTo(now);
        }
    }
}

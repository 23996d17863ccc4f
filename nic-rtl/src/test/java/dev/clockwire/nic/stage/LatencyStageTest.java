package dev.clockwire.nic.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.testkit.BlockContract;
import dev.clockwire.testkit.NumberToken;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSink;
import dev.clockwire.testkit.TokenSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyStageTest {
    private static final int TOKENS = 20;
    private static final long UNTIL_PS = 6_000_000;

    /** A stage in which a token takes as many beats as told. */
    private static final class Beats extends LatencyStage<NumberToken> {
        private final int beats;
        private final boolean fair;

        Beats(
                Sim sim,
                Clock clock,
                List<Channel<NumberToken>> in,
                Channel<NumberToken> out,
                int latency,
                int beats,
                boolean fair) {
            super(sim.root(), "stage", clock, in, out, latency);
            this.beats = beats;
            this.fair = fair;
        }

        @Override
        protected int beats(NumberToken token) {
            return beats;
        }

        @Override
        protected boolean fair() {
            return fair;
        }
    }

    private static TokenSink<NumberToken> build(
            Sim sim, BlockContract.Stalls stalls, int inputs, int latency, int beats, boolean fair) {
        Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        List<Channel<NumberToken>> in = new ArrayList<>();
        for (int i = 0; i < inputs; i++) {
            Channel<NumberToken> channel = new Channel<>(sim.root(), "in" + i, clock, 2);
            int base = 1000 * i;
            new TokenSource<>(
                    sim.root(),
                    "source" + i,
                    clock,
                    channel,
                    stalls.of("source" + i),
                    TOKENS,
                    n -> new NumberToken(base + n));
            in.add(channel);
        }
        Channel<NumberToken> out = new Channel<>(sim.root(), "out", clock, 2);
        new Beats(sim, clock, in, out, latency, beats, fair);
        return new TokenSink<>(sim.root(), "sink", clock, out, stalls.of("sink"), NumberToken::number);
    }

    private static TokenSink<NumberToken> run(int inputs, int latency, int beats, boolean fair) {
        Sim sim = new Sim(SimSpec.of(1));
        TokenSink<NumberToken> sink = build(sim, name -> Stall.none(), inputs, latency, beats, fair);
        sim.run(UNTIL_PS);
        return sink;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void keepsTheLawsOfBlocks(int latency) {
        BlockContract.Design design = (sim, stalls) -> {
            Supplier<List<Long>> values = build(sim, stalls, 1, latency, 2, true)::values;
            return values;
        };
        BlockContract.of(design, UNTIL_PS).check(latency);
    }

    /** The source's token is visible in cycle 1, the stage's L cycles later; then a token every so many beats. */
    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "5,1", "5,4", "40,1", "40,64"})
    void aTokenIsVisibleItsLatencyLaterAndTheNextItsBeatsAfter(int latency, int beats) {
        List<Long> cycles = run(1, latency, beats, true).cycles();
        assertThat(cycles).hasSize(TOKENS);
        for (int i = 0; i < TOKENS; i++) {
            assertThat(cycles.get(i)).as("token " + i).isEqualTo(1 + latency + (long) i * beats);
        }
    }

    @Test
    void inputsTakeTurns() {
        List<Long> values = run(2, 3, 1, true).values();
        for (int i = 0; i < TOKENS; i++) {
            assertThat(values.subList(2 * i, 2 * i + 2)).containsExactly((long) i, 1000L + i);
        }
    }

    @Test
    void withoutFairnessTheFirstInputGoesFirst() {
        List<Long> values = run(2, 3, 1, false).values();
        for (int i = 0; i < TOKENS; i++) {
            assertThat(values.get(i)).isEqualTo(i);
            assertThat(values.get(TOKENS + i)).isEqualTo(1000 + i);
        }
    }

    @Test
    void aStageTakesAtLeastACycle() {
        Sim sim = new Sim(SimSpec.of(1));
        assertThatThrownBy(() -> build(sim, name -> Stall.none(), 1, 0, 1, true))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("latency 0 cycles");
    }
}

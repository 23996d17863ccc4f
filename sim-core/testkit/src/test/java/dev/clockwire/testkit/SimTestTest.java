package dev.clockwire.testkit;

import static dev.clockwire.testkit.SimAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Sim;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** The extension, used. */
class SimTestTest {
    private static final List<Sim> SEEN = new ArrayList<>();

    private Sim fromBeforeEach;

    @BeforeEach
    void prepare(Sim sim) {
        fromBeforeEach = sim;
    }

    @SimTest
    void aTestGetsAFreshSimulation(Sim sim, @Seed long seed, SimRun run) {
        OneBlock block = OneBlock.at(sim, Frequency.mhz(1000));
        LongSource source = block.source("in", Stall.none(), 1, 2, 3);
        LongSink sink = new LongSink(sim.root(), "sink", block.clock(), source.channel(), Stall.pattern("01"));
        block.run(20);
        assertThat(sink).hasWords(1, 2, 3).inCycles(1, 3, 5);
        assertThat(sim).isSameAs(fromBeforeEach);
        assertThat(SEEN).doesNotContain(sim);
        SEEN.add(sim);
        assertThat(sim.spec().seed()).isEqualTo(seed).isEqualTo(run.seed()).isNotZero();
    }

    @SimTest(modes = KernelMode.EXHAUSTIVE)
    void anotherTestDrawsOtherNumbers(@Seed long seed, SimRun run) {
        assertThat(run.spec().mode()).isEqualTo(KernelMode.EXHAUSTIVE);
        assertThat(SEEN).noneMatch(sim -> sim.spec().seed() == seed);
    }
}

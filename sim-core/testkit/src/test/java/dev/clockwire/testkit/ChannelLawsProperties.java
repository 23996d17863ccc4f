package dev.clockwire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Channels neither lose nor duplicate nor reorder, and are exactly a FIFO of N slots with registers on both sides. */
class ChannelLawsProperties {
    private static final int WORDS = 100;

    @Provide
    Arbitrary<Stall> stalls() {
        return SimArbitraries.stalls();
    }

    @Provide
    Arbitrary<Frequency> frequencies() {
        return SimArbitraries.frequencies();
    }

    @Property
    void aChannelIsAFifoOfItsCapacity(
            @ForAll("stalls") Stall in,
            @ForAll("stalls") Stall out,
            @ForAll @IntRange(min = 1, max = 9) int capacity,
            @ForAll("frequencies") Frequency frequency) {
        Sim sim = new Sim(SimSpec.of(1).withChecked(true));
        Clock clock = new Clock(sim.root(), "clk", frequency);
        LongChannel c = new LongChannel(sim.root(), "c", clock, capacity);
        new LongSource(
                sim.root(), "source", clock, c, in, LongStream.range(0, WORDS).toArray());
        LongSink sink = new LongSink(sim.root(), "sink", clock, c, out);
        assertThat(sim.runUntil(() -> sink.values().size() == WORDS, clock.edgeTime(100_000)))
                .isTrue();
        assertThat(sink.values()).isEqualTo(LongStream.range(0, WORDS).boxed().toList());
        assertThat(sink.cycles()).isEqualTo(expectedCycles(in, out, capacity));
    }

    /** The same, cycle by cycle, from the occupancy at the start of each cycle alone. */
    private static List<Long> expectedCycles(Stall in, Stall out, int capacity) {
        List<Long> taken = new ArrayList<>();
        int sent = 0;
        for (long cycle = 0; taken.size() < WORDS; cycle++) {
            int occupancy = sent - taken.size();
            if (occupancy > 0 && out.open(cycle)) {
                taken.add(cycle);
            }
            if (occupancy < capacity && sent < WORDS && in.open(cycle)) {
                sent++;
            }
        }
        return taken;
    }
}

package dev.clockwire.bench.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.StageChain;
import dev.clockwire.sim.trace.StageRegistry;
import dev.clockwire.sim.trace.Waterfall;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ExcessProperties {
    private static final StageChain CHAIN = new StageChain()
            .once("post")
            .packets("dma")
            .feed("assembly")
            .deliver("wire")
            .once("poll")
            .waits("the next poll", "poll");
    private static final List<String> STAGES = List.of("post", "dma", "assembly", "wire", "poll");
    private static final List<String> CAUSES = List.of("rate", "numa", "host_stall");

    private static Waterfall path(StageRegistry names, JourneyLog log, long start, long end) {
        return Waterfall.along(CHAIN, 5, log, names, 1, start, end);
    }

    private static Waterfall random(Random random) {
        StageRegistry names = new StageRegistry();
        JourneyLog log = new JourneyLog(64);
        log.stamp(1, names.id("post"), 0, 0, random.nextInt(50), 0);
        for (int i = 0; i < random.nextInt(20); i++) {
            long in = random.nextInt(1000);
            log.stamp(1, names.id(STAGES.get(random.nextInt(5))), random.nextInt(3), in, in + random.nextInt(300), 0);
        }
        for (int i = 0; i < random.nextInt(8); i++) {
            long in = random.nextInt(1000);
            int seq = random.nextBoolean() ? JourneyLog.WHOLE : random.nextInt(3);
            log.delay(1, seq, names.id(CAUSES.get(random.nextInt(3))), in, in + random.nextInt(300));
        }
        return path(names, log, 0, 200 + random.nextInt(2000));
    }

    @Property
    void partsAddUpToTheExcess(@ForAll long seed, @ForAll @IntRange(min = 1, max = 9) int operations) {
        Random random = new Random(seed);
        double unit = random.nextBoolean() ? 1 : 0.5;
        Excess.Waterfalls median = new Excess.Waterfalls(List.of(random(random), random(random)));
        Excess excess = new Excess(median, unit);
        long total = 0;
        for (int i = 0; i < operations; i++) {
            Excess.Waterfalls slow = new Excess.Waterfalls(List.of(random(random), random(random)));
            total += slow.totalPs();
            excess.add(slow);
        }
        TailReport.Row row = excess.row("x");
        double expected = (total - operations * median.totalPs()) * unit / 1000 / operations;
        assertThat(row.excessNs()).isCloseTo(expected, within(1e-9));
        assertThat(row.sumNs()).isEqualTo(row.excessNs()); // counted in whole ps
        assertThat(row.latencyNs()).isCloseTo(total * unit / 1000 / operations, within(1e-9));
        assertThat(row.parts().stream().mapToDouble(TailReport.Part::excessNs).sum())
                .isCloseTo(expected, within(1e-6));
        assertThat(row.causes().stream()
                        .mapToDouble(TailReport.CauseShare::excessNs)
                        .sum())
                .isCloseTo(expected, within(1e-6));
    }

    /** The wire took 40 ns more, of which 30 were lost to a rate; the poll came 5 ns sooner. */
    @Example
    void eachDifferenceHasItsStageAndCause() {
        StageRegistry names = new StageRegistry();
        JourneyLog log = new JourneyLog(16);
        log.stamp(1, names.id("post"), 0, 0, 10_000, 0);
        log.stamp(1, names.id("wire"), 1, 10_000, 20_000, 0);
        Waterfall fast = path(names, log, 0, 30_000);
        log.clear();
        log.stamp(1, names.id("post"), 0, 0, 10_000, 0);
        log.stamp(1, names.id("wire"), 1, 10_000, 60_000, 0);
        log.delay(1, 1, names.id("rate"), 12_000, 42_000);
        Waterfall slow = path(names, log, 0, 65_000);
        Excess excess = new Excess(new Excess.Waterfalls(List.of(fast)), 1);
        excess.add(new Excess.Waterfalls(List.of(slow)));
        TailReport.Row row = excess.row("max");
        assertThat(row.parts())
                .containsExactly(
                        new TailReport.Part("wire", "rate", 30),
                        new TailReport.Part("wire", Excess.WORK, 10),
                        new TailReport.Part("poll", "the next poll", -5));
        assertThat(row.sumNs()).isEqualTo(35);
    }
}

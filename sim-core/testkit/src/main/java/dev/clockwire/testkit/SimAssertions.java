package dev.clockwire.testkit;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.sim.stats.StatRegistry;
import dev.clockwire.sim.trace.JourneyIndex;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.Waterfall;

/**
 * Assertions about what a simulation did, in AssertJ's manner; import them statically beside AssertJ's own. Their errors name the part of
 * the design, and a failed {@link SimTest} shows what happened there.
 */
public final class SimAssertions {
    private SimAssertions() {}

    /** Starts an assertion about the words that came out of a channel. */
    public static SinkAssert assertThat(LongSink sink) {
        return new SinkAssert(new SinkAssert.Output(sink.channel().path(), sink.values(), sink.cycles()));
    }

    /** Starts an assertion about the tokens that came out of a channel, as the numbers that the sink remembered. */
    public static SinkAssert assertThat(TokenSink<?> sink) {
        return new SinkAssert(new SinkAssert.Output(sink.channel().path(), sink.values(), sink.cycles()));
    }

    /** Starts an assertion about counters as they are now. */
    public static StatsAssert assertThat(StatRegistry stats) {
        return new StatsAssert(Counts.of(stats));
    }

    /** Starts an assertion about counters at a time, or about their growth. */
    public static StatsAssert assertThat(Counts counts) {
        return new StatsAssert(counts);
    }

    /** Starts an assertion about a distribution. */
    public static HistogramAssert assertThat(Histogram histogram) {
        return new HistogramAssert(histogram);
    }

    /**
     * Starts an assertion about the critical path of a followed operation, from its first stamp to its last.
     *
     * @param number of the operation, from 0, in the order of journeys: those of the first device first
     * @throws ConfigurationException if journeys are off, or fewer operations were followed
     */
    public static WaterfallAssert assertThatJourney(Sim sim, int number) {
        JourneyLog log = sim.journeys();
        if (log == null) {
            throw new ConfigurationException(
                    "journeys are off: sim.enableJourneys(stamps) before building, or @LabSetup(journeys = 65536)");
        }
        JourneyIndex index = new JourneyIndex(log);
        long[] all = index.journeys();
        if (number < 0 || number >= all.length) {
            throw new ConfigurationException("journey " + number + ": " + all.length + " operations were followed");
        }
        return assertThat(Waterfall.of(index, sim.stages(), all[number]));
    }

    /** Starts an assertion about the critical path of an operation. */
    public static WaterfallAssert assertThat(Waterfall waterfall) {
        return new WaterfallAssert(waterfall);
    }
}

package dev.clockwire.testkit;

import dev.clockwire.sim.error.Plain;
import dev.clockwire.sim.stats.Histogram;

/** The distribution of something; percentiles are those of the nearest rank. */
public final class HistogramAssert extends ModelAssert<HistogramAssert, Histogram> {
    HistogramAssert(Histogram actual) {
        super(actual, HistogramAssert.class, StatsAssert.owner(actual.name()));
    }

    /** Says how many values there are. */
    public HistogramAssert hasCount(long count) {
        within(actual.name() + ": the count", actual.count(), count, count, "");
        return this;
    }

    /** Says that a percentile, 0 to 100, lies in a range, both ends included. */
    public HistogramAssert percentileIsBetween(double percentile, long least, long most) {
        if (actual.count() == 0) {
            throw error(actual.name() + " has no values, expected p" + Plain.text(percentile));
        }
        String what = actual.name() + " (" + actual.text(0) + "): p" + Plain.text(percentile);
        within(what, actual.percentile(percentile), least, most, actual.unit());
        return this;
    }

    /** Says that a percentile is no larger. */
    public HistogramAssert percentileIsAtMost(double percentile, long most) {
        return percentileIsBetween(percentile, Long.MIN_VALUE, most);
    }

    /** Says that a percentile is no smaller. */
    public HistogramAssert percentileIsAtLeast(double percentile, long least) {
        return percentileIsBetween(percentile, least, Long.MAX_VALUE);
    }
}

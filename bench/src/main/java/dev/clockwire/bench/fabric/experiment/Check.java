package dev.clockwire.bench.fabric.experiment;

import java.util.function.ToDoubleFunction;

/**
 * A figure and the range that it must lie in, as a mean over seeds, or their median.
 *
 * @param what the figure, with its unit
 * @param low least value
 * @param high greatest value
 * @param median whether the median counts
 * @param of how it is found
 */
public record Check(String what, double low, double high, boolean median, ToDoubleFunction<Outcome> of) {
    /** A figure whose mean counts. */
    Check(String what, double low, double high, ToDoubleFunction<Outcome> of) {
        this(what, low, high, false, of);
    }

    /** Returns a figure of which one value is right. */
    static Check exactly(String what, double value, ToDoubleFunction<Outcome> of) {
        return new Check(what, value, value, of);
    }
}

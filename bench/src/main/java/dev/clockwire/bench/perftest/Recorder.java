package dev.clockwire.bench.perftest;

import org.jspecify.annotations.Nullable;

/** Takes down what a client measures and says when it has measured enough. */
class Recorder {
    /** Half the width of the interval that ends a run of given duration early. */
    static final double GOOD_ENOUGH = 0.005;

    private static final int CHECK_EVERY = 256;

    final Flights flights;
    private final PerftestSpec spec;
    private final BatchMeans latency = new BatchMeans();
    private final BatchMeans gap = new BatchMeans();
    private long startPs = -1;
    private long lastDonePs;
    private boolean stopped;
    private @Nullable String endedEarly;

    Recorder(PerftestSpec spec) {
        this.spec = spec;
        flights = new Flights((int) Math.min(1 << 20, Math.max(1024, spec.iterations() * spec.qps())));
    }

    /** Tells whether a queue pair that has posted so many messages is to post another one now. */
    boolean wantsMore(long posted, long nowPs) {
        if (startPs < 0) {
            startPs = nowPs;
        }
        if (spec.iterations() > 0) {
            return posted < spec.iterations() && !stopped;
        }
        return !stopped && nowPs - startPs < spec.durationPs();
    }

    /** Tells whether this is the last message of a queue pair that has posted so many before it, as far as that is known. */
    boolean isLast(long posted) {
        return spec.iterations() > 0 && posted + 1 == spec.iterations();
    }

    /** Records a message that is done; {@code id} counts the client's posts from 1. */
    void done(long postedPs, long donePs, long id) {
        flights.add(postedPs, donePs, id);
        if (spec.durationPs() > 0 && !spec.exact()) {
            latency.add((double) (donePs - postedPs));
            gap.add((double) (donePs - (lastDonePs == 0 ? postedPs : lastDonePs)));
            lastDonePs = donePs;
            if (flights.count() % CHECK_EVERY == 0) {
                check(donePs);
            }
        }
    }

    private void check(long nowPs) {
        double width = Math.max(latency.relativeHalfWidth(), gap.relativeHalfWidth());
        if (width < GOOD_ENOUGH && !stopped) {
            stopped = true;
            endedEarly = String.format(
                    java.util.Locale.ROOT,
                    "after %.3f ms: the 95 %% interval of the mean is within +-%.3f %%",
                    (nowPs - startPs) / 1e9,
                    100 * width);
        }
    }

    /** Makes the client stop after what it has posted. */
    void stop() {
        stopped = true;
    }

    @Nullable
    String endedEarly() {
        return endedEarly == null ? null : endedEarly + "; " + flights.count() + " messages were measured";
    }
}

package dev.clockwire.sim;

import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.Tap;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stamps the time a followed word spends in a channel as an interval of a stage. */
final class JourneyTap implements Tap {
    private final JourneyLog log;
    private final int stage;
    private final int cause;
    private final LongUnaryOperator journeyOf;
    private final long[] enteredAt;
    private int in;
    private int out;

    JourneyTap(JourneyLog log, int stage, int cause, LongUnaryOperator journeyOf, int slots) {
        this.log = log;
        this.stage = stage;
        this.cause = cause;
        this.journeyOf = journeyOf;
        enteredAt = new long[slots];
    }

    @Override
    public void put(long cycle, long ps, long bits, @Nullable Token token) {
        enteredAt[in++ & (enteredAt.length - 1)] = ps;
    }

    @Override
    public void take(long cycle, long ps, long bits, @Nullable Token token) {
        long entered = in == out ? ps : enteredAt[out++ & (enteredAt.length - 1)]; // put before a restore: unknown
        log.stamp(journeyOf.applyAsLong(bits), stage, 0, entered, ps, cause);
    }
}

package dev.clockwire.sim.stats;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** A level that changes at instants: queue occupancy, requests in flight, a rate. Its mean is weighted with time, exactly. */
public final class Gauge extends Stat {
    private final WideSum area = new WideSum();
    private long value;
    private long since;
    private long start;
    private long min;
    private long max;

    /** Creates a gauge of level 0 at time 0; {@link StatRegistry#gauge} also registers it. */
    public Gauge(String name, String unit, String description) {
        super(name, unit, description);
    }

    /**
     * Sets the level from now on.
     *
     * @param ps now, not before the last call
     */
    public void set(long ps, long level) {
        if (ps < since) {
            throw new InvariantViolation(name(), ps, "gauge set back in time, last set at " + since + " ps");
        }
        area.addProduct(value, ps - since);
        since = ps;
        value = level;
        min = Math.min(min, level);
        max = Math.max(max, level);
    }

    /** Raises the level, or lowers it by a negative amount. */
    public void add(long ps, long change) {
        set(ps, value + change);
    }

    /** Returns the present level. */
    public long value() {
        return value;
    }

    /** Returns the lowest level since the start or the last reset. */
    public long min() {
        return min;
    }

    /** Returns the highest level since the start or the last reset. */
    public long max() {
        return max;
    }

    /** Returns the time-weighted mean from the start or the last reset to {@code ps}; the present level for no time. */
    public double mean(long ps) {
        if (ps <= start) {
            return value;
        }
        WideSum sum = new WideSum();
        sum.add(area);
        sum.addProduct(value, ps - since);
        return new BigDecimal(sum.value())
                .divide(BigDecimal.valueOf(ps - start), MathContext.DECIMAL64)
                .doubleValue();
    }

    @Override
    public void reset(long ps) {
        area.clear();
        since = ps;
        start = ps;
        min = value;
        max = value;
    }

    @Override
    public String text(long ps) {
        return String.format(Locale.ROOT, "%d (mean %.3f, min %d, max %d)", value, mean(ps), min, max);
    }

    @Override
    public void save(Snapshot out) {
        area.save(out);
        out.putLong(value);
        out.putLong(since);
        out.putLong(start);
        out.putLong(min);
        out.putLong(max);
    }

    @Override
    public void load(Snapshot in) {
        area.load(in);
        value = in.getLong();
        since = in.getLong();
        start = in.getLong();
        min = in.getLong();
        max = in.getLong();
    }
}

package dev.clockwire.sim.stats;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** All values of a small run, so that percentiles are exact rather than of a bucket. */
public final class Samples implements State {
    private long[] values;
    private int count;
    private boolean sorted = true;

    /** Creates an empty collection with room for {@code capacity} values; it grows when full. */
    public Samples(int capacity) {
        values = new long[Math.max(1, capacity)];
    }

    /** Adds a value. */
    public void record(long value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, count * 2);
        }
        sorted &= count == 0 || values[count - 1] <= value;
        values[count++] = value;
    }

    /** Returns the number of values. */
    public int count() {
        return count;
    }

    /** Returns the value of a nearest rank, see {@link Percentiles}. */
    public long percentile(double percentile) {
        if (!sorted) {
            Arrays.sort(values, 0, count);
            sorted = true;
        }
        return Percentiles.of(values, count, percentile);
    }

    /** Forgets all values. */
    public void clear() {
        count = 0;
        sorted = true;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        out.putBoolean(sorted);
        for (int i = 0; i < count; i++) {
            out.putLong(values[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        count = in.getInt();
        sorted = in.getBoolean();
        if (count > values.length) {
            values = new long[count];
        }
        for (int i = 0; i < count; i++) {
            values[i] = in.getLong();
        }
    }
}

package dev.clockwire.sim.export;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.trace.Signals;
import dev.clockwire.sim.trace.WaveSink;

/**
 * Keeps the last changes of signals in memory, so that waves of the time before a failure can be written after it. What falls out of the
 * window leaves its value behind, so a replay starts with the right values.
 */
public final class WaveRing implements WaveSink {
    private final long windowPs;
    private final int mask;
    private final int[] signal;
    private final long[] time;
    private final long[] value;
    private final long[] before;
    private final boolean[] known;
    private long first;
    private long next;

    /**
     * Creates a ring for the signals declared so far.
     *
     * @param windowPs how far to look back, at least 1
     * @param capacity changes kept at most, rounded up to a power of two; more changes shorten the window
     */
    public WaveRing(Signals signals, long windowPs, int capacity) {
        if (windowPs < 1 || capacity < 1 || capacity > 1 << 26) {
            throw new ConfigurationException("wave ring of " + windowPs + " ps and " + capacity
                    + " changes: the window must be positive, the changes 1 to " + (1 << 26));
        }
        this.windowPs = windowPs;
        int n = Integer.highestOneBit(Math.max(1, 2 * capacity - 1));
        mask = n - 1;
        signal = new int[n];
        time = new long[n];
        value = new long[n];
        before = new long[signals.count()];
        known = new boolean[signals.count()];
    }

    @Override
    public void change(int s, long ps, long x) {
        while (first < next && (next - first > mask || time[(int) first & mask] < ps - windowPs)) {
            int i = (int) first++ & mask;
            before[signal[i]] = value[i];
            known[signal[i]] = true;
        }
        int i = (int) next++ & mask;
        signal[i] = s;
        time[i] = ps;
        value[i] = x;
    }

    /** Tells a sink the values at the start of the window, stamped with the time of the oldest change kept, and all changes since. */
    public void replay(WaveSink sink) {
        if (first == next) {
            return;
        }
        long start = startPs();
        for (int s = 0; s < before.length; s++) {
            if (known[s]) {
                sink.change(s, start, before[s]);
            }
        }
        for (long k = first; k < next; k++) {
            int i = (int) k & mask;
            sink.change(signal[i], time[i], value[i]);
        }
    }

    /** Returns the time of the oldest change kept, 0 if there is none. */
    public long startPs() {
        return first == next ? 0 : time[(int) first & mask];
    }

    /** Returns the number of changes kept. */
    public int size() {
        return (int) (next - first);
    }
}

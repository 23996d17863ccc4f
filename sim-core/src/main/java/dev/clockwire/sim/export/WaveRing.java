package dev.clockwire.sim.export;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.trace.Signals;
import dev.clockwire.sim.trace.WaveSink;
import java.util.Arrays;

/**
 * Keeps the last changes of signals in memory, so that waves of the time before a failure can be written after it. What falls out of the
 * window leaves its value behind, so a replay starts with the right values. It grows to what the window holds, 20 B for each change, and no
 * further than its capacity.
 */
public final class WaveRing implements WaveSink {
    /** Most changes that a ring may be told to keep. */
    public static final int MOST_CHANGES = 1 << 26;

    private static final int FIRST_ROOM = 1 << 12;

    private final long windowPs;
    private final int most;
    private final long[] before;
    private final boolean[] known;
    private int[] signal;
    private long[] time;
    private long[] value;
    private int mask;
    private long first;
    private long next;
    /** When the last change happened that is no longer kept: from then on all values are known. */
    private long fallenPs = Long.MIN_VALUE;

    /**
     * Creates a ring for the signals declared so far.
     *
     * @param windowPs how far to look back, at least 1
     * @param capacity changes kept at most, rounded up to a power of two; more changes shorten the window
     */
    public WaveRing(Signals signals, long windowPs, int capacity) {
        if (windowPs < 1 || capacity < 1 || capacity > MOST_CHANGES) {
            throw new ConfigurationException("wave ring of " + windowPs + " ps and " + capacity
                    + " changes: the window must be positive, the changes 1 to " + MOST_CHANGES);
        }
        this.windowPs = windowPs;
        most = Integer.highestOneBit(Math.max(1, 2 * capacity - 1));
        int n = Math.min(most, FIRST_ROOM);
        mask = n - 1;
        signal = new int[n];
        time = new long[n];
        value = new long[n];
        before = new long[signals.count()];
        known = new boolean[signals.count()];
    }

    @Override
    public void change(int s, long ps, long x) {
        while (first < next && time[(int) first & mask] < ps - windowPs) {
            drop();
        }
        if (next - first > mask) {
            if (mask + 1 < most) {
                grow();
            } else {
                drop();
            }
        }
        int i = (int) next++ & mask;
        signal[i] = s;
        time[i] = ps;
        value[i] = x;
    }

    private void drop() {
        int i = (int) first++ & mask;
        before[signal[i]] = value[i];
        known[signal[i]] = true;
        fallenPs = time[i];
    }

    /** Doubles the room; what was kept stands at its beginning then. */
    private void grow() {
        int n = mask + 1;
        int head = (int) first & mask;
        signal = Arrays.copyOf(signal, 2 * n);
        time = Arrays.copyOf(time, 2 * n);
        value = Arrays.copyOf(value, 2 * n);
        // the part before the head is the younger one: it goes behind the older
        System.arraycopy(signal, 0, signal, n, head);
        System.arraycopy(time, 0, time, n, head);
        System.arraycopy(value, 0, value, n, head);
        mask = 2 * n - 1;
        first = head;
        next = first + n;
    }

    /** Tells a sink the values that fell out of the window, stamped with the time of the last change that did, and all changes since. */
    public void replay(WaveSink sink) {
        for (int s = 0; s < before.length; s++) {
            if (known[s]) {
                sink.change(s, fallenPs, before[s]);
            }
        }
        for (long k = first; k < next; k++) {
            int i = (int) k & mask;
            sink.change(signal[i], time[i], value[i]);
        }
    }

    /** Returns the time of the last change, 0 if there was none: the window ends there, however long nothing has happened since. */
    public long lastPs() {
        return first == next ? 0 : time[(int) (next - 1) & mask];
    }

    /** Returns from when on everything is known: the start of the window, or later if the ring was too small for it; at least 0. */
    public long sincePs() {
        return Math.max(Math.max(0, fallenPs), lastPs() - windowPs);
    }

    /** Returns whether the ring was too small for the window. */
    public boolean isShort() {
        return fallenPs > lastPs() - windowPs;
    }

    /** Returns the number of changes kept. */
    public int size() {
        return (int) (next - first);
    }

    /** Returns the number of changes that there is memory for now. */
    public int room() {
        return mask + 1;
    }
}

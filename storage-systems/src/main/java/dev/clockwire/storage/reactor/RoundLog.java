package dev.clockwire.storage.reactor;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import java.util.List;

/** The steps of a reactor's round: whose they were and what they cost; and, while rounds are skipped, where in one the reactor is. */
final class RoundLog implements State {
    private long[] costs = new long[8];
    private int[] threads = new int[8];
    private int[] pollers = new int[8];
    private int length;
    private boolean resting;
    private int at;

    void clear() {
        length = 0;
    }

    /** Adds a step: of a thread, or of the events (-1); of one of its pollers, or of its messages (-1). */
    void add(int thread, int poller, long ps) {
        if (length == costs.length) {
            costs = Arrays.copyOf(costs, 2 * length);
            threads = Arrays.copyOf(threads, 2 * length);
            pollers = Arrays.copyOf(pollers, 2 * length);
        }
        costs[length] = ps;
        threads[length] = thread;
        pollers[length] = poller;
        length++;
    }

    /** Begins to skip rounds like this one. */
    void begin() {
        resting = true;
        at = 0;
    }

    boolean resting() {
        return resting;
    }

    /** Ends skipping within a round; the steps before that place are those of the round to go on with. */
    void resume() {
        resting = false;
        length = at;
    }

    boolean atStart() {
        return at == 0;
    }

    int thread() {
        return threads[at];
    }

    int poller() {
        return pollers[at];
    }

    int length() {
        return length;
    }

    long[] costs() {
        return costs;
    }

    long totalPs() {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            sum += costs[i];
        }
        return sum;
    }

    /** Returns the time from the end of the poll before a thread's to the end of its own: the first thread's has the events in it. */
    long threadPs(int thread) {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            sum += Math.max(0, threads[i]) == thread ? costs[i] : 0;
        }
        return sum;
    }

    /** Counts one step; returns whether a poll of a thread, or a round without threads, ends with it. */
    boolean skipOne(List<StorageThread> all) {
        count(at, 1, all);
        int thread = threads[at];
        at = at + 1 == length ? 0 : at + 1;
        return at == 0 || (thread >= 0 && threads[at] != thread);
    }

    /** Counts whole rounds. */
    void skip(long rounds, List<StorageThread> all) {
        for (int i = 0; i < length; i++) {
            count(i, rounds, all);
        }
    }

    private void count(int i, long times, List<StorageThread> all) {
        if (pollers[i] >= 0) {
            all.get(threads[i]).poller(pollers[i]).skipped(times, costs[i]);
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putBoolean(resting);
        out.putInt(at);
        out.putInt(length);
        for (int i = 0; i < length; i++) {
            out.putLong(costs[i]);
            out.putInt(threads[i]);
            out.putInt(pollers[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        resting = in.getBoolean();
        at = in.getInt();
        length = 0;
        for (int n = in.getInt(); n > 0; n--) {
            long ps = in.getLong();
            add(in.getInt(), in.getInt(), ps);
        }
    }
}

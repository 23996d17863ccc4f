package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bursts of reads of one port that are served late, in the order in which they are due; the arrival times of their packets are the times
 * at which the memory has the data.
 */
final class BurstQueue implements State {
    private static final long NEVER = Long.MAX_VALUE;

    private @Nullable TlpTrain[] trains = new @Nullable TlpTrain[8];
    private int[] next = new int[8];
    private int[] end = new int[8];
    private long[] order = new long[8];
    private int first;
    private int size;

    /** Adds a burst unless it is due before the end of an earlier one; returns whether it did. */
    boolean add(TlpTrain train, int from, int to, long place) {
        if (size > 0) {
            int tail = first + size - 1 & trains.length - 1;
            if (train(tail).arrival[end[tail] - 1] > train.arrival[from]) {
                return false;
            }
        }
        if (size == trains.length) {
            grow();
        }
        int at = first + size++ & trains.length - 1;
        trains[at] = train;
        next[at] = from;
        end[at] = to;
        order[at] = place;
        return true;
    }

    /** Returns when the next read is due, {@code Long.MAX_VALUE} without one. */
    long due() {
        return size == 0 ? NEVER : train(first).arrival[next[first]];
    }

    /** Returns the place of the next read in the order of requests. */
    long place() {
        return order[first];
    }

    TlpTrain train() {
        return train(first);
    }

    int from() {
        return next[first];
    }

    /** Returns the place behind the last read of the first burst that is due before a time. */
    int until(long before) {
        TlpTrain t = train(first);
        int stop = next[first];
        while (stop < end[first] && t.arrival[stop] < before) {
            stop++;
        }
        return stop;
    }

    /** Notes that reads of the first burst have been served; returns whether the train is used up. */
    boolean served(int to) {
        if (to < end[first]) {
            next[first] = to;
            return false;
        }
        boolean over = to == train(first).count;
        trains[first] = null;
        first = first + 1 & trains.length - 1;
        size--;
        return over;
    }

    private TlpTrain train(int at) {
        TlpTrain t = trains[at];
        if (t == null) {
            throw new InvariantViolation("no burst of reads is pending");
        }
        return t;
    }

    private void grow() {
        int n = trains.length;
        @Nullable TlpTrain[] t = new @Nullable TlpTrain[2 * n];
        int[] a = new int[2 * n];
        int[] b = new int[2 * n];
        long[] o = new long[2 * n];
        for (int i = 0; i < size; i++) {
            int at = first + i & n - 1;
            t[i] = trains[at];
            a[i] = next[at];
            b[i] = end[at];
            o[i] = order[at];
        }
        trains = t;
        next = a;
        end = b;
        order = o;
        first = 0;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(size);
        for (int i = 0; i < size; i++) {
            int at = first + i & trains.length - 1;
            out.putToken(trains[at]);
            out.putInt(next[at]);
            out.putInt(end[at]);
            out.putLong(order[at]);
        }
    }

    @Override
    public void load(Snapshot in) {
        Arrays.fill(trains, null);
        first = 0;
        size = 0;
        for (int n = in.getInt(); n > 0; n--) {
            if (size == trains.length) {
                grow();
            }
            trains[size] = (TlpTrain) in.getToken();
            next[size] = in.getInt();
            end[size] = in.getInt();
            order[size] = in.getLong();
            size++;
        }
    }
}

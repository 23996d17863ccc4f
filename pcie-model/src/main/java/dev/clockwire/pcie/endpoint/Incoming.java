package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Completions on their way in, in the order of the link. A train of completions announces itself when its first request is answered;
 * the later answers are looked at when they are due, or when somebody needs to know.
 */
final class Incoming implements State {
    private static final long NEVER = Long.MAX_VALUE;

    private final TrainPool pool;
    private @Nullable TlpTrain[] trains = new @Nullable TlpTrain[8];
    private int[] next = new int[8];
    private int[] end = new int[8];
    private int first;
    private int size;

    Incoming(TrainPool pool) {
        this.pool = pool;
    }

    /** Adds packets of a train; those behind the last end of a request are passed over. */
    void add(TlpTrain train, int from, int to) {
        int stop = to;
        while (stop > from && !train.endsRequest(stop - 1)) {
            stop--;
        }
        if (stop == from) {
            return;
        }
        if (size == trains.length) {
            grow();
        }
        int at = first + size++ & trains.length - 1;
        trains[at] = train;
        next[at] = from;
        end[at] = stop;
    }

    boolean isEmpty() {
        return size == 0;
    }

    TlpTrain train() {
        TlpTrain t = trains[first];
        if (t == null) {
            throw new InvariantViolation("no completion is on its way");
        }
        return t;
    }

    /** Returns the first packet that has not been looked at. */
    int from() {
        return next[first];
    }

    /** Returns the place behind the last packet up to a time that ends a request; {@link #from} if there is none. */
    int until(long now) {
        TlpTrain t = train();
        int stop = next[first];
        for (int i = stop; i < end[first] && t.arrival[i] <= now; i++) {
            if (t.endsRequest(i)) {
                stop = i + 1;
            }
        }
        return stop;
    }

    /** Returns the place behind the next packet that ends a request. */
    int untilNext() {
        return train().requestEnd(next[first], end[first]) + 1;
    }

    /** Notes that packets have been looked at; a train of which all were belongs to nobody then. */
    void passed(int to) {
        if (to < end[first]) {
            next[first] = to;
            return;
        }
        TlpTrain t = train();
        trains[first] = null;
        first = first + 1 & trains.length - 1;
        size--;
        if (to == t.count) {
            pool.give(t);
        }
    }

    /** Returns when the next request is answered, {@code Long.MAX_VALUE} if nothing is on its way. */
    long dueNext() {
        return size == 0 ? NEVER : train().arrival[untilNext() - 1];
    }

    /** Returns when the last request of the first train that is answered before a time is answered; the train has a next one. */
    long dueBefore(long limit) {
        TlpTrain t = train();
        long due = dueNext();
        for (int i = next[first]; i < end[first] && t.arrival[i] < limit; i++) {
            if (t.endsRequest(i)) {
                due = t.arrival[i];
            }
        }
        return due;
    }

    /** Returns how many packets of the first train have not been looked at. */
    int left() {
        return end[first] - next[first];
    }

    private void grow() {
        int n = trains.length;
        @Nullable TlpTrain[] t = new @Nullable TlpTrain[2 * n];
        int[] a = new int[2 * n];
        int[] b = new int[2 * n];
        for (int i = 0; i < size; i++) {
            int at = first + i & n - 1;
            t[i] = trains[at];
            a[i] = next[at];
            b[i] = end[at];
        }
        trains = t;
        next = a;
        end = b;
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
            size++;
        }
    }
}

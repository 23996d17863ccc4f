package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.link.TrainRing;
import dev.clockwire.sim.state.Snapshot;

/**
 * Completions on their way in, in the order of the link. A train of completions announces itself when its first request is answered;
 * the later answers are looked at when they are due, or when somebody needs to know.
 */
final class Incoming extends TrainRing {
    private static final long NEVER = Long.MAX_VALUE;

    private final TrainPool pool;

    /** Behind the next packet that ends a request, and when that is here. */
    private int next;

    private long due = NEVER;

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
        push(train, from, stop, 0);
        if (size() == 1) {
            look();
        }
    }

    private void look() {
        if (isEmpty()) {
            due = NEVER;
            return;
        }
        TlpTrain t = train();
        next = t.requestEnd(from(), end()) + 1;
        due = t.arrival[next - 1];
    }

    /** Returns the place behind the last packet up to a time that ends a request; {@link #from} if there is none. */
    int until(long now) {
        TlpTrain t = train();
        int stop = from();
        for (int i = stop; i < end() && t.arrival[i] <= now; i++) {
            if (t.endsRequest(i)) {
                stop = i + 1;
            }
        }
        return stop;
    }

    /** Returns the place behind the next packet that ends a request. */
    int untilNext() {
        return next;
    }

    /** Notes that packets have been looked at; a train of which all were belongs to nobody then. */
    void passed(int to) {
        if (to < end()) {
            passTo(to);
            look();
            return;
        }
        TlpTrain t = train();
        pop();
        look();
        if (to == t.count) {
            pool.give(t);
        }
    }

    /** Returns when the next request is answered, {@code Long.MAX_VALUE} if nothing is on its way. */
    long dueNext() {
        return due;
    }

    /** Returns when the last request of the first train that is answered before a time is answered; the train has a next one. */
    long dueBefore(long limit) {
        TlpTrain t = train();
        long due = dueNext();
        for (int i = from(); i < end() && t.arrival[i] < limit; i++) {
            if (t.endsRequest(i)) {
                due = t.arrival[i];
            }
        }
        return due;
    }

    @Override
    public void load(Snapshot in) {
        super.load(in);
        look();
    }

    /** Returns how many packets of the first train have not been looked at. */
    int left() {
        return end() - from();
    }
}

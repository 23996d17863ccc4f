package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainRing;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.EventPort;

/**
 * Bursts of reads of one port that are served late, in the order in which they are due; the arrival times of their packets are the times
 * at which the memory has the data.
 */
final class BurstQueue extends TrainRing {
    /** Adds a burst unless it is due before the end of an earlier one; returns whether it did. */
    boolean add(TlpTrain train, int from, int to, long place) {
        int tail = size() - 1;
        if (tail >= 0 && train(tail).arrival[end(tail) - 1] > train.arrival[from]) {
            return false;
        }
        push(train, from, to, place);
        return true;
    }

    /** Adds reads that may be due before earlier ones, each at its place; of those due at one time the later come later. */
    void insert(TlpTrain train, int from, int to, long place) {
        int tail = size() - 1;
        if (tail < 0 || train(tail).arrival[end(tail) - 1] <= train.arrival[from]) {
            push(train, from, to, place);
            return;
        }
        for (int i = from; i < to; i++) {
            insert(train, i, place);
        }
    }

    private void insert(TlpTrain train, int i, long place) {
        long at = train.arrival[i];
        int k = size();
        while (k > 0 && train(k - 1).arrival[from(k - 1)] > at) {
            k--;
        }
        if (k > 0) {
            TlpTrain before = train(k - 1);
            int p = from(k - 1);
            while (p < end(k - 1) && before.arrival[p] <= at) {
                p++;
            }
            if (p < end(k - 1)) {
                split(k - 1, p);
            }
        }
        insert(k, train, i, i + 1, place);
    }

    /** Takes out what is due later than a time, and has each served by an event; returns how many. */
    int drainBehind(long now, EventPort serve) {
        int events = 0;
        for (int k = size(); k > 0; k--) {
            TlpTrain train = train();
            int from = from();
            int stop = end();
            long place = number();
            pop();
            int p = from;
            while (p < stop && train.arrival[p] <= now) {
                p++;
            }
            if (p > from) {
                push(train, from, p, place);
            }
            for (int i = p; i < stop; i++) {
                boolean refused = train.status != CompletionStatus.SC;
                serve.send(train.arrival[i], refused ? RequestServer.REFUSED : RequestServer.SINGLE, i, place, train);
            }
            events += stop - p;
        }
        return events;
    }

    /** Returns when the next read is due, {@code Long.MAX_VALUE} without one. */
    long due() {
        return head();
    }

    /** Returns the place of the next read in the order of requests. */
    long place() {
        return number();
    }

    /** Returns the place behind the last read of the first burst that is due before a time. */
    int until(long before) {
        TlpTrain t = train();
        int stop = from();
        while (stop < end() && t.arrival[stop] < before) {
            stop++;
        }
        return stop;
    }

    /** Notes that reads of the first burst have been served; returns whether the train is used up. */
    boolean served(int to) {
        if (to < end()) {
            passTo(to);
            return false;
        }
        boolean over = to == train().count;
        pop();
        return over;
    }
}

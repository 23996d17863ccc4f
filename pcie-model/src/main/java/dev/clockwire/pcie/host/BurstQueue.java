package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainRing;

/**
 * Bursts of reads of one port that are served late, in the order in which they are due; the arrival times of their packets are the times
 * at which the memory has the data.
 */
final class BurstQueue extends TrainRing {
    private static final long NEVER = Long.MAX_VALUE;

    /** Adds a burst unless it is due before the end of an earlier one; returns whether it did. */
    boolean add(TlpTrain train, int from, int to, long place) {
        int tail = size() - 1;
        if (tail >= 0 && train(tail).arrival[end(tail) - 1] > train.arrival[from]) {
            return false;
        }
        push(train, from, to, place);
        return true;
    }

    /** Returns when the next read is due, {@code Long.MAX_VALUE} without one. */
    long due() {
        return isEmpty() ? NEVER : train().arrival[from()];
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

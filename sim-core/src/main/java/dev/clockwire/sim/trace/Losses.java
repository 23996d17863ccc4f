package dev.clockwire.sim.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What all operations of a log lost, wherever on their paths: the causes that an operation which only waited in a queue does not know of
 * itself.
 */
public final class Losses {
    private final TreeMap<String, Long> perCause = new TreeMap<>();
    private final int operations;

    private record Loss(long journey, int cause, long from, long to) {}

    /** Counts each instant of an operation once for each cause. */
    public Losses(JourneyLog log, StageRegistry names) {
        List<Loss> all = new ArrayList<>();
        TreeSet<Long> journeys = new TreeSet<>();
        for (int i = 0; i < log.size(); i++) {
            if (!JourneyLog.isQueue(log.journey(i))) {
                journeys.add(log.journey(i));
                if (log.isDelay(i)) {
                    all.add(new Loss(log.journey(i), log.cause(i), log.in(i), log.out(i)));
                }
            }
        }
        operations = journeys.size();
        all.sort(Comparator.comparingLong(Loss::journey)
                .thenComparingInt(Loss::cause)
                .thenComparingLong(Loss::from));
        Loss before = new Loss(0, 0, 0, 0);
        long counted = 0;
        for (Loss loss : all) {
            boolean same = loss.journey == before.journey && loss.cause == before.cause;
            long from = same ? Math.max(loss.from, counted) : loss.from;
            counted = same ? Math.max(loss.to, counted) : loss.to;
            perCause.merge(names.name(loss.cause), Math.max(0, loss.to - from), Long::sum);
            before = loss;
        }
    }

    /** Returns how many operations the log knows of. */
    public int operations() {
        return operations;
    }

    /** Returns the loss of all of them in ps by cause, in the order of the names. */
    public Map<String, Long> perCause() {
        return new TreeMap<>(perCause);
    }
}

package dev.clockwire.bench.perftest;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What a program asks of its device besides the work: shares of its queue pairs and moderation of its completion queues.
 *
 * @param weights {@code tx_weight} of the client's queue pairs, again from the first where they are more; empty: 1 each
 * @param priorities {@code tx_priority} of the client's queue pairs in the same way; empty: 0 each
 * @param cqCount completions that an event waits for, 0 or 1 for none
 * @param cqPeriodUs microseconds after the first completion at which an event comes at the latest, 0 for none
 * @param timeout code of the acknowledge timeout, 4.096 us x 2^n, 0 = never
 * @param trafficClass byte of the IP header: the code point x 4
 * @param sharedReceives whether all queue pairs of a host take from one shared receive queue
 */
public record Tuning(
        List<Integer> weights,
        List<Integer> priorities,
        int cqCount,
        int cqPeriodUs,
        int timeout,
        int trafficClass,
        boolean sharedReceives) {
    /** The acknowledge timeout of the real tools: 67 ms. */
    public static final int USUAL_TIMEOUT = 14;

    /** Queue pairs are alike, and each completion makes an event. */
    public static final Tuning NONE = new Tuning(List.of(), List.of(), 0, 0, USUAL_TIMEOUT, 0, false);

    /** Copies the lists. */
    public Tuning {
        weights = List.copyOf(weights);
        priorities = List.copyOf(priorities);
    }

    /** Whether queue pairs have shares of their own. */
    boolean shares() {
        return !weights.isEmpty() || !priorities.isEmpty();
    }

    /** Whether events wait. */
    boolean moderates() {
        return cqCount != 0 || cqPeriodUs != 0;
    }

    int weight(int qp) {
        return weights.isEmpty() ? 1 : weights.get(qp % weights.size());
    }

    int priority(int qp) {
        return priorities.isEmpty() ? 0 : priorities.get(qp % priorities.size());
    }

    /** Returns the options that say so, each with a blank in front. */
    String text() {
        return list(" --tx_weight ", weights)
                + list(" --tx_priority ", priorities)
                + (cqCount == 0 ? "" : " --cq_count " + cqCount)
                + (cqPeriodUs == 0 ? "" : " --cq_period " + cqPeriodUs)
                + (timeout == USUAL_TIMEOUT ? "" : " --qp-timeout " + timeout)
                + (trafficClass == 0 ? "" : " --tclass " + trafficClass)
                + (sharedReceives ? " --use-srq" : "");
    }

    private static String list(String option, List<Integer> values) {
        return values.isEmpty()
                ? ""
                : option + values.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}

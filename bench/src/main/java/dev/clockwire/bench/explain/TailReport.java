package dev.clockwire.bench.explain;

import java.util.List;

/**
 * Why the slowest operations of a run were slower than its median operation.
 *
 * @param operations of the run
 * @param medianNs latency of the operation that the others are compared with, in ns
 * @param rows percentiles, ascending
 * @param lostByEach what each operation of the run lost on average, the largest first, wherever on its path: what an operation that waited in a
 *     queue has waited for is found here
 */
public record TailReport(int operations, double medianNs, List<Row> rows, List<CauseLoss> lostByEach) {
    /** What an operation lost to a cause on average, in ns. */
    public record CauseLoss(String cause, double ns) {}

    /**
     * One operation, or several on average.
     *
     * @param name percentile
     * @param operations how many it stands for
     * @param latencyNs their latency in ns
     * @param excessNs what it is longer than that of the median operation, in ns
     * @param sumNs sum of the parts, in ns: the excess
     * @param causes parts of one cause together, largest first
     * @param parts differences in each stage and cause, largest first; those that are equal are left out
     */
    public record Row(
            String name,
            int operations,
            double latencyNs,
            double excessNs,
            double sumNs,
            List<CauseShare> causes,
            List<Part> parts) {}

    /** What a cause adds in all stages, in ns; negative if it takes less time than in the median operation. */
    public record CauseShare(String cause, double excessNs) {}

    /**
     * What a cause adds in one stage.
     *
     * @param cause one of the fixed names, what the stage waits for, or {@link Excess#WORK}
     */
    public record Part(String stage, String cause, double excessNs) {}
}

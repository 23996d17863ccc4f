package dev.clockwire.bench.perftest;

/**
 * Tells when the mean of a stream of values is known well enough: the values are grouped into batches, whose means are
 * nearly independent if the batches are long; when there are too many batches, neighbours are joined. The first batches are
 * the warm-up and do not count. Method of batch means, 95 % interval.
 */
public final class BatchMeans {
    private static final int BATCHES = 64;
    private static final int WARM_UP = BATCHES / 8;
    private static final int FEWEST = WARM_UP + 28;
    private static final int FIRST_LENGTH = 16;

    /** Two-sided 95 % quantile of Student's t for 27 degrees of freedom, the fewest that are accepted: on the safe side. */
    private static final double T = 2.052;

    private final double[] sums = new double[BATCHES];
    private int batches;
    private long length = FIRST_LENGTH;
    private double open;
    private long filled;

    /** Creates an empty stream. */
    public BatchMeans() {}

    /** Adds a value. */
    public void add(double value) {
        open += value;
        if (++filled == length) {
            if (batches == BATCHES) {
                join();
                return;
            }
            sums[batches++] = open;
            open = 0;
            filled = 0;
        }
    }

    private void join() {
        for (int i = 0; i < BATCHES / 2; i++) {
            sums[i] = sums[2 * i] + sums[2 * i + 1];
        }
        batches = BATCHES / 2;
        length *= 2;
        // the batch just filled is the first half of a longer one
        filled = length / 2;
    }

    /**
     * Returns half the width of the 95 % interval of the mean over the mean, infinity while there are too few values.
     */
    public double relativeHalfWidth() {
        int n = batches - WARM_UP;
        if (batches < FEWEST) {
            return Double.POSITIVE_INFINITY;
        }
        double mean = 0;
        for (int i = WARM_UP; i < batches; i++) {
            mean += sums[i];
        }
        mean /= n;
        double squares = 0;
        for (int i = WARM_UP; i < batches; i++) {
            squares += (sums[i] - mean) * (sums[i] - mean);
        }
        return mean == 0 ? 0 : T * Math.sqrt(squares / (n - 1) / n) / Math.abs(mean);
    }
}

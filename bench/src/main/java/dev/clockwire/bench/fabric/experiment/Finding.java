package dev.clockwire.bench.fabric.experiment;

import java.util.Arrays;

/**
 * What a check found.
 *
 * @param experiment name
 * @param setup name of the case
 * @param what the figure
 * @param low least value that is right
 * @param high greatest value that is right
 * @param found mean over the seeds, or median
 * @param least over the seeds
 * @param most over the seeds
 * @param seeds how many there were
 * @param passed whether what was found is in the range
 */
public record Finding(
        String experiment,
        String setup,
        String what,
        double low,
        double high,
        double found,
        double least,
        double most,
        int seeds,
        boolean passed) {
    static Finding of(Experiment experiment, Case setup, Check check, double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        double found = check.median()
                ? (sorted[(n - 1) / 2] + sorted[n / 2]) / 2
                : Arrays.stream(values).average().orElse(0);
        boolean passed = found >= check.low() && found <= check.high();
        return new Finding(
                experiment.name(),
                setup.name(),
                check.what(),
                check.low(),
                check.high(),
                found,
                sorted[0],
                sorted[n - 1],
                n,
                passed);
    }
}

package dev.clockwire.bench.report;

import dev.clockwire.bench.text.Decimal;
import dev.clockwire.bench.text.InputFile;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Latency over percentile, as in a file that HdrHistogram's plotters read.
 *
 * @param points ascending in both
 */
record LatencyCurve(List<Point> points) {
    private static final int COLUMNS = 3;

    /**
     * One step.
     *
     * @param percentile 0 to 100
     * @param ns latency that so many of the messages did not exceed
     * @param count how many these are
     */
    record Point(double percentile, double ns, long count) {}

    LatencyCurve {
        points = List.copyOf(points);
    }

    static LatencyCurve read(Path file) throws IOException {
        List<Point> points = new ArrayList<>();
        int number = 0;
        for (String line : InputFile.text(file).lines().toList()) {
            number++;
            String trimmed = line.strip();
            if (trimmed.isEmpty() || trimmed.startsWith("#") || trimmed.startsWith("Value")) {
                continue;
            }
            String[] cells = trimmed.split(" +", -1);
            try {
                if (cells.length < COLUMNS) {
                    throw new NumberFormatException();
                }
                double percentile = new BigDecimal(cells[1]).movePointRight(2).doubleValue();
                points.add(new Point(percentile, Decimal.of(cells[0]), Long.parseLong(cells[2])));
            } catch (NumberFormatException e) {
                throw new ConfigurationException(
                        file + ": line " + number + ": expected value, percentile and count in numbers");
            }
        }
        return new LatencyCurve(points);
    }
}

package dev.clockwire.bench.report;

import dev.clockwire.bench.text.Decimal;
import dev.clockwire.bench.text.InputFile;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
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
     * @param percentile 0 to 100: the share of the messages that did not exceed the latency, of the first point 0
     * @param ns latency
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
                points.add(new Point(100 * Decimal.of(cells[1]), Decimal.of(cells[0]), Long.parseLong(cells[2])));
            } catch (NumberFormatException e) {
                throw new ConfigurationException(
                        file + ": line " + number + ": expected value, percentile and count in numbers");
            }
        }
        return new LatencyCurve(steps(points));
    }

    /**
     * Lets each step end at the share of the messages that it is known to hold. The file has a line where a plotter looks, which is
     * up to a half of the rest beyond the end of the step before: of 16,000 messages, 15,840 of them quick, P99 would be a slow one.
     */
    private static List<Point> steps(List<Point> lines) {
        List<Point> steps = new ArrayList<>();
        long all = lines.isEmpty() ? 0 : lines.get(lines.size() - 1).count();
        for (Point line : lines) {
            if (steps.isEmpty()) {
                steps.add(line);
            }
            double share = all == 0 ? line.percentile() : 100.0 * line.count() / all;
            if (share > steps.get(steps.size() - 1).percentile()) {
                steps.add(new Point(share, line.ns(), line.count()));
            }
        }
        return steps;
    }
}

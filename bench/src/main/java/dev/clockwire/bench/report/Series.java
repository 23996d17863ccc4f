package dev.clockwire.bench.report;

import dev.clockwire.bench.csv.CsvFile;
import dev.clockwire.bench.text.Decimal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One quantity over time, of everything that has it.
 *
 * @param metric its name, with the unit
 * @param timesUs ascending, of all quantities of the file, so that charts stand above each other
 * @param objects by name
 */
record Series(String metric, List<Double> timesUs, List<Line> objects) {
    /**
     * One object's.
     *
     * @param values one for each time, null where there is none
     */
    record Line(String name, List<@Nullable Double> values) {}

    /** Reads a file of the columns {@code time_us}, {@code object}, {@code metric}, {@code value}. */
    static List<Series> read(Path file) throws IOException {
        CsvFile csv = CsvFile.read(file, Set.of("time_us", "object", "metric", "value"), Set.of());
        SortedMap<String, SortedMap<String, SortedMap<Double, Double>>> all = new TreeMap<>();
        for (int i = 0; i < csv.size(); i++) {
            all.computeIfAbsent(csv.text(i, "metric"), m -> new TreeMap<>())
                    .computeIfAbsent(csv.text(i, "object"), o -> new TreeMap<>())
                    .put(number(csv, i, "time_us"), number(csv, i, "value"));
        }
        List<Double> times = all.values().stream()
                .flatMap(objects -> objects.values().stream())
                .flatMap(line -> line.keySet().stream())
                .distinct()
                .sorted()
                .toList();
        return all.entrySet().stream()
                .map(e -> of(e.getKey(), e.getValue(), times))
                .toList();
    }

    private static Series of(String metric, Map<String, SortedMap<Double, Double>> objects, List<Double> times) {
        List<Line> lines = new ArrayList<>();
        objects.forEach((name, line) -> {
            List<@Nullable Double> values = new ArrayList<>();
            times.forEach(t -> values.add(line.get(t)));
            lines.add(new Line(name, values));
        });
        return new Series(metric, times, lines);
    }

    private static double number(CsvFile csv, int record, String column) {
        try {
            return Decimal.of(csv.text(record, column));
        } catch (NumberFormatException e) {
            throw csv.wrong(record, column, "a number belongs here");
        }
    }
}

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
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One quantity over time, of everything that has it.
 *
 * @param metric its name, with the unit
 * @param timesUs ascending, of all quantities of the file, so that charts stand above each other
 * @param objects by name; of very many those with the most
 * @param of how many objects the file has
 */
record Series(String metric, List<Double> timesUs, List<Line> objects, int of) {
    /** A page of many more is too large to open. */
    static final int MOST = 100;

    private static final String SHARE = "_percent";

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
        SortedMap<String, Set<String>> shown = new TreeMap<>();
        all.keySet().forEach(metric -> shown.put(metric, most(all, metric)));
        return all.entrySet().stream()
                .map(e -> of(e.getKey(), e.getValue(), shown.getOrDefault(e.getKey(), Set.of()), times))
                .toList();
    }

    /** The shares of a line belong together: those of the busiest lines. */
    private static Set<String> most(Map<String, SortedMap<String, SortedMap<Double, Double>>> all, String metric) {
        Map<String, Double> sums = new TreeMap<>();
        all.forEach((other, objects) -> {
            if (other.equals(metric) || (metric.endsWith(SHARE) && other.endsWith(SHARE))) {
                objects.forEach((name, line) -> sums.merge(
                        name, line.values().stream().mapToDouble(v -> v).sum(), Double::sum));
            }
        });
        return sums.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Series of(
            String metric, Map<String, SortedMap<Double, Double>> objects, Set<String> shown, List<Double> times) {
        List<Line> lines = new ArrayList<>();
        objects.forEach((name, line) -> {
            if (shown.contains(name)) {
                List<@Nullable Double> values = new ArrayList<>();
                times.forEach(t -> values.add(line.get(t)));
                lines.add(new Line(name, values));
            }
        });
        return new Series(metric, times, lines, objects.size());
    }

    private static double number(CsvFile csv, int record, String column) {
        try {
            return Decimal.of(csv.text(record, column));
        } catch (NumberFormatException e) {
            throw csv.wrong(record, column, "a number belongs here");
        }
    }
}

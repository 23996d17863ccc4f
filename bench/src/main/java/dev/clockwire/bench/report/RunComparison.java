package dev.clockwire.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What differs between the statistics of runs.
 *
 * @param different those that do, in the order of the names' first appearance
 * @param equal how many are the same in all runs
 */
record RunComparison(List<Different> different, int equal) {
    private static final List<String> FIELDS =
            List.of("value", "count", "mean", "min", "p50", "p99", "p999", "max", "stdev");

    /**
     * One number of one statistic.
     *
     * @param field which number of a distribution, empty for a plain value
     * @param values one for each run, null where there is none
     */
    record Different(String name, String field, String unit, String description, List<@Nullable Double> values) {}

    RunComparison {
        different = List.copyOf(different);
    }

    /** Compares the {@code stats} of documents. */
    static RunComparison of(List<JsonNode> runs) {
        Map<String, List<@Nullable JsonNode>> byName = new LinkedHashMap<>();
        for (int i = 0; i < runs.size(); i++) {
            for (JsonNode stat : runs.get(i).get("stats")) {
                List<@Nullable JsonNode> there =
                        byName.computeIfAbsent(stat.path("name").asText(), n -> new ArrayList<>());
                while (there.size() < i) {
                    there.add(null);
                }
                if (there.size() == i) {
                    there.add(stat);
                }
            }
        }
        List<Different> different = new ArrayList<>();
        int equal = 0;
        for (Map.Entry<String, List<@Nullable JsonNode>> e : byName.entrySet()) {
            List<Different> found = differences(e.getKey(), e.getValue(), runs.size());
            different.addAll(found);
            equal += found.isEmpty() ? 1 : 0;
        }
        return new RunComparison(different, equal);
    }

    private static List<Different> differences(String name, List<@Nullable JsonNode> stats, int runs) {
        List<Different> found = new ArrayList<>();
        JsonNode first = stats.stream().filter(s -> s != null).findFirst().orElseThrow();
        for (String field : FIELDS) {
            List<@Nullable Double> values = new ArrayList<>();
            for (int i = 0; i < runs; i++) {
                JsonNode stat = i < stats.size() ? stats.get(i) : null;
                values.add(
                        stat != null && stat.path(field).isNumber()
                                ? stat.get(field).asDouble()
                                : null);
            }
            if (values.stream().map(v -> v == null ? 0 : v).distinct().count()
                    > 1) { // what is not there has not happened
                found.add(new Different(
                        name,
                        field.equals("value") ? "" : field,
                        first.path("unit").asText(),
                        first.path("description").asText(),
                        values));
            }
        }
        return found;
    }
}

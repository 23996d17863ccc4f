package dev.clockwire.bench.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The rows that there are, in their order, with the wanted results of each. They are read from files only, so it does not matter who wrote these, or when. */
public final class Results {
    private final SweepPlan plan;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Integer> missing = new ArrayList<>();
    private final Set<String> measures = new LinkedHashSet<>();
    private final Set<String> known = new TreeSet<>();
    private final Map<String, Integer> notes = new LinkedHashMap<>();
    private final Set<String> versions = new TreeSet<>();
    private int failed;

    private Results(SweepPlan plan) {
        this.plan = plan;
    }

    /**
     * A row with what came of it.
     *
     * @param measures the wanted values that it has
     */
    record Entry(SweepRow row, int exit, String error, Map<String, JsonNode> measures) {}

    /** Reads the rows of these that are there. */
    public static Results read(SweepPlan plan, List<SweepRow> rows, RowStore store) throws IOException {
        Results results = new Results(plan);
        results.measures.addAll(plan.measures());
        for (SweepRow row : rows) {
            store.read(row).ifPresentOrElse(r -> results.add(row, r), () -> results.missing.add(row.number()));
        }
        return results;
    }

    private void add(SweepRow row, RowResult result) {
        failed += result.failed() ? 1 : 0;
        result.notes().forEach(note -> notes.putIfAbsent(note, row.number()));
        if (result.failed()) {
            notes.putIfAbsent("exit code " + result.exit() + ": " + result.error(), row.number());
        }
        if (result.result().hasNonNull("version")) {
            versions.add(result.result().get("version").asText());
        }
        Map<String, JsonNode> wanted = new LinkedHashMap<>();
        Measures.of(result.result()).forEach((path, value) -> {
            known.add(path);
            boolean all = plan.measures().isEmpty() && value.isNumber() && !plan.isInput(path);
            if (all || plan.measures().contains(path)) {
                wanted.put(path, value);
                measures.add(path);
            }
        });
        entries.add(new Entry(row, result.exit(), result.error(), wanted));
    }

    SweepPlan plan() {
        return plan;
    }

    List<Entry> entries() {
        return entries;
    }

    Set<String> measures() {
        return measures;
    }

    /** Returns the versions of Clockwire that the rows are of; more than one if some were run later. */
    Set<String> versions() {
        return versions;
    }

    /** Returns how many rows are there. */
    public int runs() {
        return entries.size();
    }

    /** Returns how many of them failed. */
    public int failed() {
        return failed;
    }

    /** Returns the numbers of the rows that are not there. */
    public List<Integer> missing() {
        return missing;
    }

    /**
     * Checks that each measure of the plan is in some result, if all rows are there.
     *
     * @throws ConfigurationException with all that are in none; the rows hold everything, so they need not be run again
     */
    public void checkMeasures() {
        List<String> unknown = unknownMeasures();
        if (missing.isEmpty() && !unknown.isEmpty()) {
            String text = unknown.stream().map(this::absent).collect(Collectors.joining("; "));
            throw new ConfigurationException(text + (text.endsWith("?") ? " " : "; ")
                    + "the rows are kept: change 'measure' and run again with --resume");
        }
    }

    private List<String> unknownMeasures() {
        return failed == entries.size()
                ? List.of()
                : plan.measures().stream().filter(m -> !known.contains(m)).toList();
    }

    private String absent(String measure) {
        return "measure '" + measure + "' is in no result" + Nearest.hint(measure, known);
    }

    /** Returns what is to be said of them: measures that no run has, several versions of Clockwire, and remarks of the runs, each once. */
    public List<String> remarks() {
        List<String> all = new ArrayList<>();
        unknownMeasures().forEach(m -> all.add(absent(m)));
        if (versions.size() > 1) {
            all.add("the rows are of several versions: " + String.join(", ", versions));
        }
        notes.forEach((note, row) -> all.add("row " + row + ": " + note));
        return all;
    }

    /** Returns the intervals of a point's measures, over the rows that did not fail. */
    Map<String, Interval> intervals(List<Entry> ofPoint) {
        Map<String, List<Double>> values = new LinkedHashMap<>();
        for (Entry e : ofPoint) {
            e.measures().forEach((name, value) -> {
                if (e.exit() == 0 && value.isNumber()) {
                    values.computeIfAbsent(name, n -> new ArrayList<>()).add(value.asDouble());
                }
            });
        }
        Map<String, Interval> intervals = new LinkedHashMap<>();
        values.forEach((name, all) -> intervals.put(name, Interval.of(all)));
        return intervals;
    }

    /** Returns the rows of each point that has some. */
    Map<Integer, List<Entry>> byPoint() {
        Map<Integer, List<Entry>> points = new LinkedHashMap<>();
        entries.forEach(e ->
                points.computeIfAbsent(e.row().point(), p -> new ArrayList<>()).add(e));
        return points;
    }
}

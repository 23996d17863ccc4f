package dev.clockwire.bench.cli;

import dev.clockwire.bench.practice.ScenarioReport;
import dev.clockwire.bench.text.TextTable;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What came of a scenario, for people: cause, cure, and both runs side by side. */
final class ScenarioText {
    private static final int MOST_COUNTERS = 10;

    private ScenarioText() {}

    /** Prints a report; {@code kept} is where the files of its commands are, null if they are gone. */
    static void print(ScenarioReport r, @Nullable Path kept, Consumer<String> out) {
        out.accept((r.passed() ? "passed " : "FAILED ") + r.name());
        Object error = r.symptom().get("error");
        out.accept("  symptom   " + r.symptom().get("figure") + " "
                + number(r.symptom().get("value")) + (error == null ? "" : ": " + error));
        out.accept("  diagnosis " + r.diagnosis());
        out.accept("  cure      " + r.cure().get("change"));
        Object operator = r.cure().get("operator");
        if (operator != null) {
            out.accept("            " + operator);
        }
        TextTable table = new TextTable("", "before", "after");
        figures(r, table);
        counters(r, table);
        table.lines().forEach(line -> out.accept("  " + line));
        out.accept("  before: clockwire " + r.symptom().get("command"));
        out.accept("  after:  clockwire " + r.cure().get("command"));
        if (String.valueOf(r.cure().get("command")).contains(".yaml")) {
            String how = kept == null ? "scenario run " + r.name() + " --out DIR leaves them" : "in " + kept;
            out.accept("  files of these commands: " + how);
        }
        out.accept("");
    }

    private static void figures(ScenarioReport r, TextTable table) {
        TreeSet<String> names = new TreeSet<>(r.before().keySet());
        names.addAll(r.after().keySet());
        names.forEach(name -> table.row(name, cell(r.before(), name), cell(r.after(), name)));
    }

    private static String cell(Map<String, ? extends Number> figures, String name) {
        Number value = figures.get(name);
        return value == null ? "-" : number(value);
    }

    /** Those that the cure has changed most, as a factor. */
    private static void counters(ScenarioReport r, TextTable table) {
        Map<String, Long> before = r.counters().before();
        Map<String, Long> after = r.counters().after();
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        names.stream()
                .filter(n -> n.indexOf('.') < 0 && factor(before, after, n) > 2)
                .sorted((a, b) -> Double.compare(factor(before, after, b), factor(before, after, a)))
                .limit(MOST_COUNTERS)
                .forEach(n -> table.row(n, cell(before, n), cell(after, n)));
    }

    private static double factor(Map<String, Long> before, Map<String, Long> after, String name) {
        double x = Math.abs(before.getOrDefault(name, 0L)) + 1.0;
        double y = Math.abs(after.getOrDefault(name, 0L)) + 1.0;
        return Math.max(x / y, y / x);
    }

    private static String number(@Nullable Object value) {
        return value instanceof Long whole
                ? whole.toString()
                : value instanceof Double d ? String.format(Locale.ROOT, "%.4g", d) : String.valueOf(value);
    }
}

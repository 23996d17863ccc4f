package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.catalogue.Scenario;
import dev.clockwire.bench.catalogue.Scenarios;
import dev.clockwire.bench.doc.GeneratedPart;
import dev.clockwire.bench.practice.Practice;
import dev.clockwire.bench.practice.Practices;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** Every row of the articles' tables and lists, and every public report, with its scenario or test, or the reason why there is none. */
class RowsPagesTest {
    private static final String ROWS = "troubleshooting-rows.txt";
    private static final String HEAD = """

        | where | what it says | scenarios, practices, tests | remark |
        |---|---|---|---|
        """;

    /** How many rows there are, as counted in the sources: none gets lost. */
    private static final Map<String, Integer> COUNTS = Map.ofEntries(
            Map.entry("article 1, 7.1", 4),
            Map.entry("article 1, 7.2", 4),
            Map.entry("article 1, checklist", 4),
            Map.entry("article 1, best practice", 7),
            Map.entry("article 2, 7", 4),
            Map.entry("article 2, monitoring", 2),
            Map.entry("article 2, checklist", 4),
            Map.entry("article 2, best practice", 7),
            Map.entry("reports, congestion", 18),
            Map.entry("reports, NVMe", 16),
            Map.entry("reports, PCIe and NIC", 20),
            Map.entry("reports, RoCE", 19),
            Map.entry("reports, storage", 23));

    /**
     * A row.
     *
     * @param source where it stands
     * @param text what it says
     * @param scenarios scenarios and practices that reproduce it
     * @param test class of a test, {@code :} and a text of it that shows that it is about this; empty if there is none
     * @param remark what is not so in it, or why there is nothing
     */
    private record Row(String source, String text, List<String> scenarios, String test, String remark) {
        static Row of(String line) {
            String[] parts = line.split("\\|", -1);
            assertThat(parts).as(line).hasSize(5);
            List<String> names = Arrays.stream(parts[2].split(",", -1))
                    .map(String::strip)
                    .filter(n -> !n.isEmpty())
                    .toList();
            return new Row(parts[0].strip(), parts[1].strip(), names, parts[3].strip(), parts[4].strip());
        }

        String testClass() {
            return test.isEmpty() ? "" : test.substring(0, test.indexOf(':'));
        }

        String proof() {
            return test.substring(test.indexOf(':') + 1);
        }

        String line() {
            String shown = Stream.concat(
                            scenarios.stream(), Stream.of(testClass()).filter(t -> !t.isEmpty()))
                    .map(n -> "`" + n + "`")
                    .collect(Collectors.joining(", "));
            return "| " + source + " | " + text + " | " + shown + " | " + remark + " |\n";
        }
    }

    private static List<Row> rows() throws IOException {
        try (InputStream in = Objects.requireNonNull(RowsPagesTest.class.getResourceAsStream(ROWS), ROWS)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().filter(l -> !l.startsWith("#")).map(Row::of).toList();
        }
    }

    /** Sources of all tests by the name of the class. */
    private static Map<String, List<String>> tests() throws IOException {
        Map<String, List<String>> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Path.of(".."), 14)) {
            for (Path file : files.filter(f ->
                            f.toString().endsWith("Test.java") && f.toString().contains("/src/test/"))
                    .toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                all.computeIfAbsent(name, n -> new ArrayList<>()).add(Files.readString(file));
            }
        }
        return all;
    }

    @Test
    void everyRowHasAScenarioOrATestOrAReason() throws IOException {
        Set<String> known = Stream.concat(
                        Scenarios.all().stream().map(Scenario::name),
                        Practices.all().stream().map(Practice::name))
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, List<String>> tests = tests();
        SoftAssertions all = new SoftAssertions();
        Map<String, Integer> counts = new TreeMap<>();
        for (Row row : rows()) {
            counts.merge(row.source(), 1, Integer::sum);
            boolean none = row.scenarios().isEmpty() && row.test().isEmpty();
            all.assertThat(row.remark().startsWith("none: ")).as(row.text()).isEqualTo(none);
            all.assertThat(known).as(row.text()).containsAll(row.scenarios());
            if (!row.test().isEmpty()) {
                all.assertThat(tests.getOrDefault(row.testClass(), List.of()))
                        .as(row.test())
                        .anyMatch(source -> source.contains(row.proof()));
            }
        }
        all.assertThat(counts).isEqualTo(new TreeMap<>(COUNTS));
        all.assertAll();
    }

    /** A scenario that stands in no row is of something that nobody has asked for, or a row is missing. */
    @Test
    void everyScenarioStandsInARow() throws IOException {
        Set<String> named =
                rows().stream().flatMap(r -> r.scenarios().stream()).collect(Collectors.toCollection(TreeSet::new));
        assertThat(named)
                .containsAll(Scenarios.all().stream().map(Scenario::name).toList());
    }

    @Test
    void thePageHasTheRows() throws IOException {
        String made = HEAD + rows().stream().map(Row::line).collect(Collectors.joining());
        GeneratedPart.check(
                "troubleshooting.md",
                "rows",
                made,
                (page, text) -> assertThat(page).isEqualTo(text));
    }
}

package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.bench.catalogue.Scenario;
import dev.clockwire.bench.catalogue.Scenarios;
import dev.clockwire.bench.diagnose.Diagnosis;
import dev.clockwire.bench.doc.GeneratedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every fault of the catalogue is named and cured, and docs/troubleshooting.md says how. */
class CataloguePagesTest {
    private static final String HEAD = """

        | scenario | symptom, with the fault and cured | counters | cause | cure | not so |
        |---|---|---|---|---|---|
        """;

    @Test
    void everyFaultIsNamedAndCured() throws IOException {
        StringBuilder table = new StringBuilder(HEAD);
        for (Scenario s : Scenarios.all()) {
            JsonNode report = clockwire("scenario", "run", s.name(), "--json").json();
            assertThat(report.get("passed").asBoolean())
                    .as(s.name() + ": " + report.get("diagnosis").asText())
                    .isTrue();
            table.append(row(s, report));
        }
        GeneratedPart.check(
                "troubleshooting.md",
                "catalogue",
                table.toString(),
                (page, made) -> assertThat(page).isEqualTo(made));
    }

    private static String row(Scenario s, JsonNode report) {
        JsonNode symptom = report.get("symptom");
        return String.format(
                Locale.ROOT,
                "| `%s`: %s | %s: %s, %s (`%s`, `%s`) | %s | %s | %s | %s |\n",
                s.name(),
                s.title(),
                s.figure().path(),
                value(report, "before", s),
                value(report, "after", s),
                s.bad().isEmpty() ? "usual" : s.bad(),
                s.good().isEmpty() ? "usual" : s.good(),
                symptom.get("evidence").asText(),
                symptom.get("cause").asText(),
                s.cure(),
                s.remark());
    }

    private static String value(JsonNode report, String run, Scenario s) {
        return String.format(
                Locale.ROOT, "%.4g", report.get(run).get(s.figure().field()).asDouble());
    }

    /** Each rule of the diagnosis is proved by a scenario, or stands here with its reason. */
    @Test
    void everyScenarioHasARule() {
        Map<String, String> proved = new TreeMap<>();
        Scenarios.all().forEach(s -> proved.put(s.rule(), s.name()));
        assertThat(Diagnosis.rules()).containsAll(proved.keySet());
        List<String> names = Scenarios.all().stream().map(Scenario::name).toList();
        assertThat(names).doesNotHaveDuplicates().allMatch(n -> n.matches("[a-z0-9-]+"));
    }

    @TempDir
    private Path folder;

    /** What the runs read is there afterwards, and the commands that stand in the report work on it. */
    @Test
    void filesOfAScenarioCanBeKept() throws IOException {
        Path out = folder.resolve("kept");
        String text = clockwire("scenario", "run", "retry-exc-pfc-off", "--out", out.toString())
                .text();
        assertThat(text).contains("before: clockwire fabric run retry-exc-pfc-off.yaml --endpoints hw --counters\n");
        String again = clockwire(
                        "fabric",
                        "run",
                        out.resolve("retry-exc-pfc-off.yaml").toString(),
                        "--endpoints",
                        "hw",
                        "--counters",
                        "--json")
                .output();
        Path counters = Files.writeString(folder.resolve("counters.json"), again);
        JsonNode findings =
                clockwire("diagnose", counters.toString(), "--json").json().get("findings");
        assertThat(findings.get(0).get("rule").asText()).isEqualTo("pfc-off");
        assertThat(text).contains(findings.get(0).get("evidence").asText());
        clockwire("scenario", "run", "retry-exc-pfc-of").failsWith(2, "retry-exc-pfc-off");
    }
}

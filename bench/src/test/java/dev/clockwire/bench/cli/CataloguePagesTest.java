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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every fault of the catalogue is named and cured, and docs/troubleshooting.md says how. */
class CataloguePagesTest {
    private static final String HEAD = """

        | scenario | symptom, with the fault and cured | counters | cause | cure | not so |
        |---|---|---|---|---|---|
        """;

    /** All of them take a minute on a busy machine: these stand for them when not everything is tested. */
    private static final Set<String> QUICK = Set.of(
            "retry-exc-mtu-mismatch",
            "roce-version-mismatch",
            "pfc-storm",
            "numa-doubling",
            "reg-mr-failure",
            "rnr-receive-starvation",
            "ssd-bus-master-off");

    private static final boolean ALL =
            Boolean.getBoolean("clockwire.full") || "write".equals(System.getProperty("clockwire.docs"));

    @Test
    void everyFaultIsNamedAndCured() throws IOException {
        List<String> rows = new ArrayList<>();
        for (Scenario s : Scenarios.all()) {
            if (!ALL && !QUICK.contains(s.name())) {
                continue;
            }
            JsonNode report = clockwire("scenario", "run", s.name(), "--json").json();
            assertThat(report.get("passed").asBoolean())
                    .as(s.name() + ": " + report.get("diagnosis").asText())
                    .isTrue();
            rows.add(row(s, report));
        }
        assertThat(rows).hasSize(ALL ? Scenarios.all().size() : QUICK.size());
        GeneratedPart.check("troubleshooting.md", "catalogue", HEAD + String.join("", rows), (page, made) -> {
            if (ALL) {
                assertThat(page).isEqualTo(made);
            } else {
                assertThat(page).startsWith(HEAD).contains(rows);
                assertThat(page.lines().count()).isEqualTo(3 + Scenarios.all().size());
            }
        });
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

    /**
     * Each rule of the diagnosis is proved by a scenario, but for those that need what no simulated host has: a line with wrong symbols or
     * that flaps, a slot with bad signals, a NIC that gives up pausing, a kernel's ring. A storm that is contained is the cure of one that is
     * not. What they say of pasted counters is in DiagnosisTest.
     */
    @Test
    void everyRuleHasAScenario() {
        Set<String> unproved = new TreeSet<>(Diagnosis.rules());
        Scenarios.all()
                .forEach(s -> assertThat(
                                unproved.remove(s.rule()) || Diagnosis.rules().contains(s.rule()))
                        .as(s.name())
                        .isTrue());
        assertThat(unproved)
                .containsExactly(
                        "damaged-frames",
                        "global-pause",
                        "line-errors",
                        "link-flaps",
                        "nic-stalled",
                        "paused",
                        "pcie-signal",
                        "pcie-stalled",
                        "pfc-storm-contained",
                        "refused-requests",
                        "ring-empty");
        List<String> names = Scenarios.all().stream().map(Scenario::name).toList();
        assertThat(names).doesNotHaveDuplicates().allMatch(n -> n.matches("[a-z0-9-]+"));
    }

    /** A watchdog that is quicker than the storm cuts it off: its counters say so, and another rule names what is left to do. */
    @Test
    void aWatchdogContainsAStorm() throws IOException {
        JsonNode report = clockwire("scenario", "run", "pfc-watchdog", "--json").json();
        JsonNode counters = report.get("counters");
        String detected = "PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED";
        assertThat(counters.get("before").get(detected).asInt()).isZero();
        assertThat(counters.get("after").get(detected).asInt()).isEqualTo(1);
        assertThat(counters.get("after")
                        .get("PFC_WD_QUEUE_STATS_DEADLOCK_RESTORED")
                        .asInt())
                .isEqualTo(1);
        assertThat(counters.get("after")
                        .get("PFC_WD_QUEUE_STATS_TX_DROPPED_PACKETS")
                        .asInt())
                .isPositive()
                .isEqualTo(counters.get("after").get("rx_prio3_discards").asInt());
        Path kept = folder.resolve("watchdog");
        clockwire("scenario", "run", "pfc-watchdog", "--out", kept.toString()).text();
        String again = clockwire(
                        "fabric",
                        "run",
                        kept.resolve("pfc-watchdog-cured.yaml").toString(),
                        "--endpoints",
                        "hw",
                        "--counters",
                        "--json")
                .output();
        Path file = Files.writeString(folder.resolve("counters.json"), again);
        assertThat(clockwire("diagnose", file.toString(), "--json").json().findValuesAsText("rule"))
                .containsExactly("pfc-storm-contained");
    }

    @TempDir
    private Path folder;

    /** What the runs read is there afterwards, and the commands that stand in the report work on it. */
    @Test
    void filesOfAScenarioCanBeKept() throws IOException {
        Path out = folder.resolve("kept");
        String text = clockwire("scenario", "run", "retry-exc-pfc-off", "--out", out.toString())
                .text();
        assertThat(text)
                .contains("before: clockwire fabric run retry-exc-pfc-off.yaml --endpoints hw --counters\n")
                .contains("files of these commands: in " + out)
                .containsPattern("cure      classes: \\[] -> \\[3]\n");
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
        clockwire("scenario", "run", "slowness").failsWith(2, "'scenario list' shows all");
    }
}

package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.bench.doc.GeneratedPart;
import dev.clockwire.bench.practice.Practice;
import dev.clockwire.bench.practice.Practices;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every scenario helps, and docs/practices.md says how much. */
class PracticesPagesTest {
    /** Each scenario is run once, whoever looks at it first: the same inputs give the same report. */
    private static final Map<String, JsonNode> REPORTS = new HashMap<>();

    private static JsonNode report(String name) {
        return REPORTS.computeIfAbsent(
                name, n -> clockwire("scenario", "run", n, "--json").json());
    }

    @Test
    void everyScenarioHelpsAsMuchAsThePageSays() throws IOException {
        StringBuilder table = new StringBuilder(
                "\n| scenario | about | figure | without | with | why |\n|---|---|---|---|---|---|\n");
        for (Practice practice : Practices.all()) {
            JsonNode report = report(practice.name());
            assertThat(report.get("passed").asBoolean()).as(practice.name()).isTrue();
            assertThat(report.get("before")).isNotEqualTo(report.get("after"));
            String field = practice.figure().field();
            table.append(String.format(
                    Locale.ROOT,
                    "| `%s` | %s | %s | %.4g (`%s`) | %.4g (`%s`) | %s |\n",
                    practice.name(),
                    practice.title(),
                    practice.figure().path(),
                    report.get("before").get(field).asDouble(),
                    practice.without().isEmpty() ? "usual" : practice.without(),
                    report.get("after").get(field).asDouble(),
                    practice.with().isEmpty() ? "usual" : practice.with(),
                    practice.diagnosis()));
        }
        GeneratedPart.check(
                "practices.md",
                "practices",
                table.toString(),
                (page, made) -> assertThat(page).isEqualTo(made));
    }

    @Test
    void oneScenarioHasTheFieldsOfTheCatalogue() {
        JsonNode report = report("inline-small");
        assertThat(report.get("symptom").get("figure").asText()).isEqualTo("latency_us.p50");
        assertThat(report.get("symptom").get("command").asText()).endsWith("-I 0");
        assertThat(report.get("cure").get("change").asText()).isEqualTo("-I 64");
        assertThat(report.get("diagnosis").asText()).contains("factor");
        assertThat(report.get("counters").get("before").has("tx_packets_phy")).isTrue();
        assertThat(report.get("counters").get("after").get("out_of_sequence").asLong())
                .isZero();
    }

    /** The counters of the two runs show what the advice changed. */
    @Test
    void countersShowTheMechanism() {
        JsonNode pages = report("huge-pages").get("counters");
        long walked = pages.get("before").get("root.iommu.walks").asLong();
        assertThat(walked).isGreaterThan(16 * 16 * 40);
        assertThat(pages.get("after").get("root.iommu.walks").asLong()).isLessThan(walked / 20);
        JsonNode held = report("moderation-off").get("counters");
        assertThat(held.get("before").get("nic.eq_interrupts").asLong()).isPositive();
    }

    @Test
    void theListNamesThemAndMistakesAreNamed() {
        JsonNode list = clockwire("scenario", "list", "--json").json().get("scenarios");
        assertThat(list.findValuesAsText("name")).contains("blueflame-small", "storage-numa");
        assertThat(clockwire("scenario", "list").text()).contains("moderation-off");
        assertThat(clockwire("scenario", "run", "inline-small").text())
                .startsWith("passed inline-small")
                .containsPattern("latency_us_p50 +1[.]\\d+ +0[.]\\d+")
                .containsPattern("before: clockwire perftest .*-I 0\n")
                .containsPattern("after: +clockwire perftest .*-I 64\n");
        clockwire("scenario", "run", "inline-smal").failsWith(2, "inline-small");
        clockwire("scenario", "run").failsWith(2, "NAME or --all");
        clockwire("scenario", "run", "inline-small", "--all").failsWith(2, "NAME or --all");
    }
}

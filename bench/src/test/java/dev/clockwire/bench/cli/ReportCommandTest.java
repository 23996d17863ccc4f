package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command of the page, and what a run leaves for it. */
class ReportCommandTest {
    @TempDir
    private Path folder;

    private Path run(String command) {
        Path out = folder.resolve("out");
        clockwire((command + " --out " + out).split(" ")).output();
        return out;
    }

    private static JsonNode stats(Path out) throws IOException {
        return new ObjectMapper().readTree(out.resolve("stats.json").toFile());
    }

    @Test
    void thePageLiesBesideTheFilesAndGoesWithThem() throws IOException {
        Path out = run("perftest read-lat -s 64 -n 100");
        Path page = out.resolve("report.html");
        assertThat(clockwire("report", out.toString(), "--json")
                        .json()
                        .get("report")
                        .asText())
                .isEqualTo(page.toString());
        String first = Files.readString(page);
        assertThat(clockwire("report", out.toString()).text()).isEqualTo(page + "\n");
        assertThat(page).hasContent(first);
        run("perftest read-lat -s 64 -n 100");
        assertThat(page).as("the page of an earlier run").doesNotExist();
    }

    /** Each operation's stages sum to its latency, which is that of the percentile. */
    @Test
    void waterfallsSumToTheLatencies() throws IOException {
        for (String tool : new String[] {"write-lat -s 4096", "read-lat -s 64", "send-bw -s 4096"}) {
            Path out = run("perftest " + tool + " -n 200 -P host.iommu.enabled=true");
            JsonNode falls = stats(out).get("waterfalls");
            assertThat(falls).as(tool).hasSizeGreaterThanOrEqualTo(4);
            double before = 0;
            for (JsonNode fall : falls) {
                double sum = 0;
                for (JsonNode stage : fall.get("stages")) {
                    sum += stage.get("ns").asDouble();
                    assertThat(stage.get("wait_ns").asDouble())
                            .isBetween(0.0, stage.get("ns").asDouble());
                }
                double latency = fall.get("latency_ns").asDouble();
                assertThat(sum).isCloseTo(latency, offset(0.01));
                assertThat(latency).isGreaterThanOrEqualTo(before);
                before = latency;
            }
        }
    }

    @Test
    void theSlowestOfPerftestIsTheLast() throws IOException {
        Path out = folder.resolve("out");
        JsonNode result = clockwire(
                        ("perftest write-lat -s 4096 -n 200 --json -P host.iommu.enabled=true --out " + out).split(" "))
                .document();
        JsonNode falls = stats(out).get("waterfalls");
        JsonNode slowest = falls.get(falls.size() - 1);
        assertThat(slowest.get("percentile").asDouble()).isEqualTo(100);
        assertThat(slowest.get("latency_ns").asDouble() / 1000)
                .isCloseTo(result.get("latency_us").get("max").asDouble(), offset(1e-9));
    }

    @Test
    void whatIsNoRunIsRefusedAndLeavesNothing() throws IOException {
        clockwire("report", folder.toString()).failsWith(3, "no stats.json and no results.json", "--out");
        clockwire("report", folder.resolve("none").toString()).failsWith(3, "none", "no stats.json");
        clockwire("report").failsWith(2, "DIR");
        Path stats = folder.resolve("stats.json");
        Files.writeString(stats, "{\"schema\":");
        clockwire("report", folder.toString()).failsWith(3, "stats.json", "no JSON");
        Files.writeString(stats, "{\"mine\":1}");
        clockwire("report", folder.toString()).failsWith(3, "schema ''", "clockwire.stats/1");
        Files.writeString(stats, "{\"schema\":\"clockwire.stats/1\"}");
        clockwire("report", folder.toString()).failsWith(3, "stats.json", "no list 'stats'");
        Files.writeString(stats, "{\"schema\":\"clockwire.stats/1\",\"stats\":[]}");
        Files.writeString(folder.resolve("latency.hgrm"), "Value\n 12 x 3\n");
        clockwire("report", folder.toString()).failsWith(3, "latency.hgrm", "line 2");
        Files.delete(folder.resolve("latency.hgrm"));
        Files.writeString(folder.resolve("series.csv"), "time_us,object,metric,value\n1,a,b,much\n");
        clockwire("report", folder.toString()).failsWith(3, "series.csv:2", "'much'");
        Files.delete(folder.resolve("series.csv"));
        Files.writeString(folder.resolve("capture.pcapng"), "no capture at all, whatever its name");
        clockwire("report", folder.toString()).failsWith(3, "capture.pcapng");
        Files.delete(stats);
        Path results = folder.resolve("results.json");
        Files.writeString(results, "{\"schema\":\"mine\"}");
        clockwire("report", folder.toString()).failsWith(3, "schema 'mine'", "clockwire.sweep-results/1");
        Files.writeString(results, "{\"schema\":\"clockwire.sweep-results/1\",\"missing\":[],\"rows\":[]}");
        clockwire("report", folder.toString()).failsWith(3, "results.json", "no list 'points'");
        assertThat(folder.resolve("report.html")).doesNotExist();
    }

    @Test
    void whatCannotBeComparedIsRefusedAndLeavesNothing() throws IOException {
        Path out = run("explain write -s 64");
        clockwire("report", out.toString(), folder.resolve("none").toString())
                .failsWith(3, "none: no stats.json", "only runs can be compared");
        Path document = folder.resolve("d.json");
        Files.writeString(document, "{\"schema\":\"clockwire.perftest/1\"}");
        clockwire("report", document.toString()).failsWith(3, "'clockwire.perftest/1'", "storage compare --json");
        Files.writeString(document, "{\"schema\":\"clockwire.validate/1\"}");
        clockwire("report", document.toString()).failsWith(3, "d.json", "no list 'rows'");
        String[] eleven = new String[12];
        Arrays.fill(eleven, out.toString());
        eleven[0] = "report";
        clockwire(eleven).failsWith(3, "11 runs", "at most 10");
        clockwire(
                        "report",
                        out.toString(),
                        "--out",
                        folder.resolve("no/page.html").toString())
                .failsWith(3, "--out", "no such directory");
        assertThat(out.resolve("comparison.html")).doesNotExist();
        assertThat(folder.resolve("d.html")).doesNotExist();
        Path elsewhere = folder.resolve("page.html");
        clockwire("report", out.toString(), "--out", elsewhere.toString()).output();
        assertThat(elsewhere).isNotEmptyFile();
        assertThat(out.resolve("report.html")).doesNotExist();
    }
}

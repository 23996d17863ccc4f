package dev.clockwire.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.bench.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of runs that are not those of a NIC's tool: I/Os of a fabric, software devices, storage systems. */
class OtherRunsPageTest {
    @TempDir
    private Path folder = Path.of("");

    private JsonNode run(String command) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        int code = Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                nowhere,
                (command + " --json --out " + folder).split(" "));
        assertThat(code).isZero();
        Report.write(folder);
        return new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
    }

    /** Each I/O's stages are its latency, and the ends are those that the tool prints. */
    @ParameterizedTest
    @CsvSource({"--stack spdk,device", "--stack kernel-tcp,ssd", "--local,media"})
    void stagesOfIosAreKnown(String stack, String stage) throws Exception {
        JsonNode result = run("nvmf perf -q 4 -o 4096 -w randread -t 0.001 -L " + stack);
        JsonNode falls = new ObjectMapper()
                .readTree(folder.resolve("stats.json").toFile())
                .get("waterfalls");
        assertThat(falls).hasSizeGreaterThan(4);
        for (JsonNode fall : falls) {
            double sum = 0;
            List<String> names = new ArrayList<>();
            for (JsonNode share : fall.get("stages")) {
                sum += share.get("ns").asDouble();
                names.add(share.get("stage").asText());
                assertThat(share.has("wait_ns")).isFalse();
            }
            assertThat(names).contains(stage);
            assertThat(sum).isCloseTo(fall.get("latency_ns").asDouble(), within(0.01));
        }
        JsonNode us = result.get("latency_us");
        assertThat(falls.get(0).get("latency_ns").asDouble() / 1000)
                .isCloseTo(us.get("min").asDouble(), within(1e-3));
        JsonNode slowest = falls.get(falls.size() - 1);
        assertThat(slowest.get("percentile").asDouble()).isEqualTo(100);
        assertThat(slowest.get("latency_ns").asDouble() / 1000)
                .isCloseTo(us.get("max").asDouble(), within(1e-3));
    }

    @Test
    void thePageOfIosShowsThem() throws Exception {
        run("nvmf perf -q 4 -o 4096 -w randread -t 0.001");
        Browser.Answer answer = Browser.ask(folder.resolve("report.html"), """
            return {bars: document.querySelectorAll('#waterfall .bar').length, stages: [...document.querySelectorAll('#waterfall tbody tr')].map(r => r.cells[0].textContent),
              heads: [...document.querySelectorAll('#tail th')].map(h => h.textContent), titles: [...document.querySelectorAll('#waterfall .bar i')].map(i => i.title)};
            """);
        assertThat(answer.complaints()).isEmpty();
        assertThat(answer.value().get("bars").asInt()).isGreaterThan(4);
        assertThat(answer.value().get("stages"))
                .extracting(JsonNode::asText)
                .containsExactly("post", "request", "parse", "device", "respond", "response", "total");
        assertThat(answer.value().get("heads").toString()).contains("excess").doesNotContain("waiting");
        assertThat(answer.value().get("titles").toString()).doesNotContain("waiting");
        Browser.assertFits(folder.resolve("report.html"));
    }

    @ParameterizedTest
    @CsvSource({
        "perftest write-lat -n 20 --provider soft,--provider hw",
        "storage run 3fs --ops 4 --provider soft,--diagram FILE.svg"
    })
    void whatARunCannotShowIsTold(String command, String option) throws Exception {
        run(command);
        Browser.Answer answer = Browser.ask(
                folder.resolve("report.html"), "return document.querySelector('#waterfall p').textContent;");
        assertThat(answer.complaints()).isEmpty();
        assertThat(answer.value().asText()).contains(option);
        Browser.assertFits(folder.resolve("report.html"));
    }
}

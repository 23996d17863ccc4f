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

    /** Writes and reads of a storage system stand apart, stage by stage as the file has them, in the order of time. */
    @ParameterizedTest
    @CsvSource({
        "3fs --provider soft,head: SSD write,replica: SSD read",
        "daos --provider hw,replica: SSD write,engine: SSD read",
        "ceph --provider soft --ssd media,replica: SSD write,primary: SSD read"
    })
    void thePageOfAStorageSystem(String system, String write, String read) throws Exception {
        JsonNode result = run("storage run " + system + " --size 16384 --ops 60 --keys 4 --depth 2");
        JsonNode falls = new ObjectMapper()
                .readTree(folder.resolve("stats.json").toFile())
                .get("waterfalls");
        Browser.Answer answer = Browser.ask(folder.resolve("report.html"), """
            const rows = id => [...document.querySelectorAll('#' + id + ' tbody tr')].map(r => [...r.cells].map(c => c.dataset.value === undefined ? c.textContent : Number(c.dataset.value)));
            return {write: rows('waterfall'), read: rows('waterfall-read'), tails: [...document.querySelectorAll('#tail tbody tr, #tail-read tbody tr')].length,
              heads: [...document.querySelectorAll('h2')].map(h => h.textContent)};
            """);
        assertThat(answer.complaints()).isEmpty();
        assertThat(answer.value().get("heads"))
                .extracting(JsonNode::asText)
                .contains("Where the time goes: writes", "Where the tail comes from: reads");
        assertThat(answer.value().get("tails").asInt()).isGreaterThan(4);
        assertThat(sameAsFile(answer.value().get("write"), falls, "write")).contains(write, "answer to client");
        assertThat(sameAsFile(answer.value().get("read"), falls, "read")).contains(read, "answer to client");
        double slowest = 0;
        for (JsonNode fall : falls) {
            slowest = Math.max(slowest, fall.get("latency_ns").asDouble());
        }
        assertThat(slowest / 1000).isCloseTo(result.at("/latency_us/max").asDouble(), within(1e-3));
        Browser.assertFits(folder.resolve("report.html"));
    }

    private static List<String> sameAsFile(JsonNode rows, JsonNode falls, String op) {
        List<JsonNode> own = new ArrayList<>();
        falls.forEach(f -> {
            if (f.get("op").asText().equals(op)) {
                own.add(f);
            }
        });
        assertThat(own).hasSizeGreaterThan(3);
        List<String> stages = new ArrayList<>();
        for (JsonNode row : rows) {
            String stage = row.get(0).asText();
            for (int i = 0; i < own.size(); i++) {
                double ns = stage.equals("total") ? own.get(i).get("latency_ns").asDouble() : 0;
                for (JsonNode share : own.get(i).get("stages")) {
                    ns += share.get("stage").asText().equals(stage)
                            ? share.get("ns").asDouble()
                            : 0;
                }
                assertThat(row.get(1 + i).asDouble()).as(stage).isEqualTo(ns);
            }
            stages.add(stage);
        }
        return stages;
    }

    @ParameterizedTest
    @CsvSource("perftest write-lat -n 20 --provider soft,--provider hw")
    void whatARunCannotShowIsTold(String command, String option) throws Exception {
        run(command);
        Browser.Answer answer = Browser.ask(
                folder.resolve("report.html"), "return document.querySelector('#waterfall p').textContent;");
        assertThat(answer.complaints()).isEmpty();
        assertThat(answer.value().asText()).contains(option);
        Browser.assertFits(folder.resolve("report.html"));
    }
}

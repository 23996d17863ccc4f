package dev.clockwire.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.cli.Main;
import dev.clockwire.bench.csv.CsvFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links and loads over the time of runs of I/Os and of storage systems. */
class LoadSeriesTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path folder = Path.of("");

    private static ObjectNode run(String command) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        int code = Main.run(new PrintStream(out, true, StandardCharsets.UTF_8), nowhere, command.split(" "));
        assertThat(code).isZero();
        ObjectNode document = (ObjectNode) MAPPER.readTree(out.toString(StandardCharsets.UTF_8));
        // where packets are noted one by one, each of a train is an event: there are more, and no other time
        return document.without(List.of("wall_s", "cpu_s", "events"));
    }

    private ObjectNode kept(String command) throws IOException {
        return run(command + " --out " + folder);
    }

    private Map<String, Double> counters() throws IOException {
        Map<String, Double> all = new TreeMap<>();
        MAPPER.readTree(folder.resolve(RunFiles.STATS).toFile())
                .get("stats")
                .forEach(s -> all.put(s.get("name").asText(), s.path("value").asDouble()));
        return all;
    }

    /** Sums value times length of the stretch, in us, by metric and object; a stretch begins where the object's row before ends. */
    private Map<String, Double> sums() throws IOException {
        Map<String, Double> sums = new TreeMap<>();
        Map<String, Double> before = new TreeMap<>();
        CsvFile csv = CsvFile.read(folder.resolve(RunFiles.SERIES), Set.of(), Set.of());
        for (int i = 0; i < csv.size(); i++) {
            String what = csv.text(i, "metric") + " " + csv.text(i, "object");
            double us = Double.parseDouble(csv.text(i, "time_us"));
            double since = us - before.getOrDefault(what, 0.0);
            assertThat(since).as(what + " at " + us).isPositive();
            sums.merge(what, Double.parseDouble(csv.text(i, "value")) * since, Double::sum);
            before.put(what, us);
        }
        return sums;
    }

    private static double of(Map<String, Double> values, String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    /** Returns how many links were looked at. */
    private int linksAreWhatTheyHaveCounted() throws IOException {
        Map<String, Double> counters = counters();
        Map<String, Double> sums = sums();
        int links = 0;
        for (Map.Entry<String, Double> c : counters.entrySet()) {
            if (c.getKey().endsWith(".line_kbps")) {
                String path = c.getKey().substring(0, c.getKey().lastIndexOf('.'));
                boolean pcie = counters.containsKey(path + ".wire_bytes");
                double wire = of(counters, path + (pcie ? ".wire_bytes" : ".tx_line_bytes"));
                double payload = of(counters, path + (pcie ? ".data_bytes" : ".tx_payload_bytes"));
                double bytes = c.getValue() / 8e5; // of a percent of the line, in a us
                double found = sums.getOrDefault("payload_percent " + path, 0.0) * bytes;
                assertThat(found).as(path).isCloseTo(payload, within(2 + payload * 1e-5));
                assertThat(found + sums.getOrDefault("overhead_percent " + path, 0.0) * bytes)
                        .as(path)
                        .isCloseTo(wire, within(2 + wire * 1e-5));
                links++;
            }
        }
        return links;
    }

    /** Trace, events and figures are the same with files and without; what passed the links in all stretches is what they have counted. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--local",
                "--stack spdk",
                "--stack spdk --provider soft",
                "--stack offload",
                "--stack kernel-tcp",
                "--stack kernel-rdma --kernel exhaustive"
            })
    void linksOfIosAreWhatTheyHaveCounted(String stack) throws IOException {
        String command = "nvmf perf -q 4 -o 4096 -w randrw -M 50 -t 0.0005 --json " + stack;
        ObjectNode result = kept(command);
        assertThat(run(command)).isEqualTo(result);
        assertThat(linksAreWhatTheyHaveCounted())
                .isGreaterThanOrEqualTo(stack.contains("soft") ? 2 : stack.equals("--local") ? 2 : 6);
        Map<String, Double> sums = sums();
        String queue = sums.keySet().stream()
                .filter(s -> s.startsWith("kops "))
                .findFirst()
                .orElseThrow()
                .substring("kops ".length());
        double ios = of(sums, "kops " + queue) / 1e3;
        assertThat(Math.round(ios)).isGreaterThanOrEqualTo(result.get("ios").asLong());
        assertThat(of(sums, "commands ssd0")).isLessThan(1.01 * of(sums, "outstanding " + queue));
        assertThat(of(sums, "goodput_gbps " + queue) * 125).isCloseTo(ios * 4096, within(1.0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--provider hw", "--provider soft"})
    void linksOfStorageSystemsAreWhatTheyHaveCounted(String provider) throws IOException {
        String command =
                "storage run 3fs --op write --size 131072 --ops 24 --clients 4 --depth 2 --node-gbps 50 --json "
                        + provider;
        ObjectNode result = kept(command);
        assertThat(run(command)).isEqualTo(result);
        assertThat(linksAreWhatTheyHaveCounted()).isGreaterThanOrEqualTo(6);
        Map<String, Double> sums = sums();
        double bytes = IntStream.range(0, 4)
                .mapToDouble(i -> 125 * of(sums, "goodput_gbps client" + i))
                .sum();
        assertThat(bytes).isCloseTo(24 * 131072, within(30.0));
        assertThat(sums).containsKeys("payload_percent client0-switch.a", "payload_percent node0-switch.b");
        assertThat(sums.keySet()).anyMatch(s -> s.startsWith("queue_bytes switch->node"));
    }

    /** The page begins with the time of the load; what was before is there. */
    @Test
    void thePageBeginsWithTheLoad() throws Exception {
        kept("nvmf perf -q 4 -o 4096 -w randread -t 0.0005 --json");
        Report.write(folder);
        Browser.Answer answer = Browser.ask(folder.resolve("report.html"), """
            return {links: [...document.querySelectorAll('#utilisation h3')].map(h => h.textContent), over: [...document.querySelectorAll('#series h3')].map(h => h.textContent),
              ranges: charts.filter(c => c.frame.closest('#utilisation, #series')).map(c => [c.plot.scales.x.min, c.plot.scales.x.max, c.plot.data[0][0]])};
            """);
        assertThat(answer.complaints()).isEmpty();
        assertThat(answer.value().get("links"))
                .extracting(JsonNode::asText)
                .contains("ssd0.pcie.up", "host0.pcie.up", "host1.root.port0Down", "link.a", "link.b");
        assertThat(answer.value().get("over"))
                .extracting(JsonNode::asText)
                .containsExactly("goodput_gbps", "kops", "outstanding", "commands");
        assertThat(answer.value().get("ranges")).hasSizeGreaterThan(7);
        for (JsonNode range : answer.value().get("ranges")) {
            double us = range.get(1).asDouble() - range.get(0).asDouble();
            assertThat(us).isBetween(500.0, 600.0);
            assertThat(range.get(2).asDouble()).isLessThan(range.get(0).asDouble() - 1000);
        }
        Browser.assertFits(folder.resolve("report.html"));
    }

    /** What a client reads long behind the load, to see what is there in the end, is not of its time. */
    @Test
    void readingAllKeysIsNotTheLoad() throws Exception {
        JsonNode result = kept("storage run daos --provider soft --op write --size 65536 --ops 20 --depth 2 --json");
        double begunUs = result.get("begun_ns").asDouble() / 1e3;
        double lastUs = 0;
        CsvFile csv = CsvFile.read(folder.resolve(RunFiles.SERIES), Set.of(), Set.of());
        for (int i = 0; i < csv.size(); i++) {
            if (csv.text(i, "metric").equals("outstanding")) {
                lastUs = Double.parseDouble(csv.text(i, "time_us"));
                assertThat(lastUs).isGreaterThan(begunUs - 10);
            }
        }
        assertThat(lastUs).isBetween(begunUs + 100, begunUs + 50_000);
        assertThat(result.get("simulated_ns").asDouble() / 1e3).isGreaterThan(begunUs + 1_000_000);
    }

    /** A file may have more objects than a page can hold: those with the most are there, and both shares of each line. */
    @Test
    void ofVeryManyObjectsThePageHasTheBusiest() throws Exception {
        kept("nvmf perf -q 1 -o 4096 -w randread -t 0.00005 --json");
        StringBuilder csv = new StringBuilder("time_us,object,metric,value\n");
        for (int i = 0; i < 300; i++) {
            for (int us = 1; us < 4; us++) {
                csv.append(String.format(Locale.ROOT, "%d,host%d.up,payload_percent,%d%n", us, i, i % 100));
                csv.append(String.format(Locale.ROOT, "%d,host%d.up,overhead_percent,%d%n", us, i, 3 * (99 - i % 100)));
                csv.append(String.format(Locale.ROOT, "%d,switch.port%d,queue_bytes,%d%n", us, i, i));
            }
        }
        Files.writeString(folder.resolve(RunFiles.SERIES), csv);
        Report.write(folder);
        Browser.Answer answer = Browser.ask(folder.resolve("report.html"), """
            return {links: document.querySelector('#utilisation output').textContent, first: document.querySelector('#utilisation h3').textContent,
              queues: document.querySelector('#series h3').textContent, objects: data.series.map(s => s.objects.length)};
            """);
        assertThat(answer.complaints()).isEmpty();
        assertThat(answer.value().get("links").asText()).isEqualTo("10 of 100, the busiest of 300 in series.csv");
        assertThat(answer.value().get("first").asText()).isEqualTo("host0.up");
        assertThat(answer.value().get("queues").asText())
                .isEqualTo("queue_bytes: the 10 highest of 100, those with the most of 300 in series.csv");
        assertThat(answer.value().get("objects").toString()).isEqualTo("[100,100,100]");
    }
}

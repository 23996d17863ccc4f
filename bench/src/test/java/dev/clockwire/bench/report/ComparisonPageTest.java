package dev.clockwire.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.bench.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages that put runs, systems and published numbers beside each other, as a browser shows them. */
class ComparisonPageTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final String TOOLS = """
        const set = (id, value) => { const box = document.getElementById(id); box.value = value; ['input', 'change'].forEach(e => box.dispatchEvent(new Event(e))); };
        const cells = row => [...row.cells].map(c => c.dataset.value === undefined ? c.textContent : Number(c.dataset.value));
        const rows = place => [...document.querySelectorAll(place + (place.includes('.scroll') ? '' : ' .scroll') + ' tbody tr')].filter(r => !r.hidden).map(cells);
        const drawn = () => charts.map(({plot}) => ({xs: plot.data[0], series: plot.series.slice(1).map((s, i) => ({label: s.label, values: plot.data[i + 1]}))}));
        """;

    @TempDir
    private Path folder = Path.of("");

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private static String clockwire(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                words);
        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isLessThan(2);
        return out.toString(StandardCharsets.UTF_8);
    }

    private void run(String out, String command) {
        clockwire((command + " --out " + at(out)).split(" "));
    }

    private JsonNode stats(String run) throws IOException {
        return MAPPER.readTree(folder.resolve(run).resolve("stats.json").toFile());
    }

    @Test
    void runsLieOverEachOther() throws Exception {
        run("usual", "perftest write-lat -s 4096 -n 100");
        run("narrow", "perftest write-lat -s 4096 -n 100 -P pcie.lanes=8 --ipv6");
        Path page = folder.resolve("usual/comparison.html");
        assertThat(clockwire("report", at("usual"), at("narrow"))).isEqualTo(page + "\n");
        Browser.Answer answer = Browser.ask(page, TOOLS + """
            const all = rows('#statistics'), curves = drawn()[0];
            set('filter', 'host1 BUSY');
            return {all, curves, filtered: rows('#statistics').map(r => r[0]), configuration: rows('#configuration'), fall: rows('#waterfall'), latency: rows('#latency')};
            """);
        assertThat(answer.complaints()).isEmpty();
        statisticsAreThoseThatDiffer(answer.value().get("all"));
        assertThat(answer.value().get("filtered"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(name.asText()).contains("host1", "busy"));
        List<String> configuration = new ArrayList<>();
        answer.value()
                .get("configuration")
                .forEach(row -> configuration.add(row.get(0).asText() + " "
                        + row.get(1).asText() + " " + row.get(2).asText()));
        assertThat(configuration).containsExactly("--ipv6  given", "pcie.lanes 16 8");
        curvesAreThoseOfTheFiles(answer.value().get("curves"));
        JsonNode fall = answer.value().get("fall");
        JsonNode total = fall.get(fall.size() - 1);
        double usual = stats("usual").at("/waterfalls/1/latency_ns").asDouble();
        double narrow = stats("narrow").at("/waterfalls/1/latency_ns").asDouble();
        assertThat(stats("usual").at("/waterfalls/1/percentile").asDouble()).isEqualTo(50);
        assertThat(total.get(1).asDouble()).isEqualTo(usual);
        assertThat(total.get(2).asDouble()).isEqualTo(narrow).isGreaterThan(usual);
        assertThat(total.get(3).asDouble()).isCloseTo(narrow - usual, within(1e-6));
        Browser.assertFits(page);
        run("usual", "perftest write-lat -s 4096 -n 100");
        assertThat(page).as("the page of an earlier run").doesNotExist();
    }

    @Test
    void namesAreWhatDistinguishesRuns() {
        assertThat(ComparisonPage.names(List.of(Path.of("/out/q1"), Path.of("/out/q8"))))
                .containsExactly("q1", "q8");
        assertThat(ComparisonPage.names(List.of(Path.of("out/a/run"), Path.of("./out/b/run"), Path.of("out/b"))))
                .containsExactly("a/run", "b/run", "b");
        assertThat(ComparisonPage.names(List.of(Path.of("run"), Path.of("run/again"))))
                .containsExactly("run", "run/again");
        assertThat(ComparisonPage.names(List.of(Path.of("run")))).containsExactly("run");
    }

    private void statisticsAreThoseThatDiffer(JsonNode shown) throws IOException {
        Map<String, Double> left = new HashMap<>();
        stats("usual")
                .get("stats")
                .forEach(s -> left.put(s.get("name").asText(), s.get("value").asDouble()));
        Map<String, List<Double>> differ = new HashMap<>();
        for (JsonNode s : stats("narrow").get("stats")) {
            String name = s.get("name").asText();
            double before = Objects.requireNonNull(left.get(name));
            if (before != s.get("value").asDouble()) {
                differ.put(name, List.of(before, s.get("value").asDouble()));
            }
        }
        assertThat(shown).hasSize(differ.size()).isNotEmpty();
        for (JsonNode row : shown) {
            List<Double> expected = Objects.requireNonNull(differ.get(row.get(0).asText()));
            assertThat(List.of(row.get(1).asDouble(), row.get(2).asDouble())).isEqualTo(expected);
            if (expected.get(0) != 0) {
                assertThat(row.get(3).asDouble())
                        .isCloseTo(100 * (expected.get(1) / expected.get(0) - 1), within(1e-9));
            }
        }
    }

    private void curvesAreThoseOfTheFiles(JsonNode chart) throws IOException {
        assertThat(chart.get("series")).hasSize(2);
        for (int i = 0; i < 2; i++) {
            String run = i == 0 ? "usual" : "narrow";
            LatencyCurve curve = LatencyCurve.read(folder.resolve(run).resolve("latency.hgrm"));
            JsonNode series = chart.get("series").get(i);
            assertThat(series.get("label").asText()).isEqualTo(run);
            double last = 0;
            for (JsonNode value : series.get("values")) {
                last = value.isNumber() ? value.asDouble() : last;
            }
            assertThat(last)
                    .isEqualTo(curve.points().get(curve.points().size() - 1).ns());
        }
    }

    @Test
    void storageSystemsAreCompared() throws Exception {
        String json = clockwire(
                "storage compare --systems 3fs,daos --sizes 4096,65536 --clients 1,2 --provider soft --ssd media --json"
                        .split(" "));
        Path document = Files.writeString(folder.resolve("compare.json"), json);
        assertThat(clockwire("report", document.toString())).isEqualTo(at("compare.html") + "\n");
        Browser.Answer answer = Browser.ask(folder.resolve("compare.html"), TOOLS + """
            const all = {speed: rows('#speed'), wire: rows('#wire .scroll:nth-of-type(1)'), charts: drawn(), expected: rows('#expected'), told: document.querySelector('#expected div p').textContent};
            set('op', 'read'); set('system', 'daos'); set('size', '64 KiB'); set('clients', '2');
            await later();
            return {all, one: rows('#speed'), wires: rows('#wire .scroll:nth-of-type(1)'), left: charts.length};
            """);
        assertThat(answer.complaints()).isEmpty();
        JsonNode rows = MAPPER.readTree(json).get("rows");
        List<JsonNode> writes = new ArrayList<>();
        rows.forEach(r -> {
            if (r.get("op").asText().equals("write")) {
                writes.add(r);
            }
        });
        JsonNode speed = answer.value().get("all").get("speed");
        assertThat(speed).hasSize(writes.size());
        List<String> keys = List.of("clients", "alone_us", "alone_p99_us", "p50_us", "p99_us", "gbps");
        for (int i = 0; i < writes.size(); i++) {
            assertThat(speed.get(i).get(0)).isEqualTo(writes.get(i).get("system"));
            for (int k = 0; k < keys.size(); k++) {
                assertThat(speed.get(i).get(2 + k).asDouble())
                        .as(keys.get(k))
                        .isEqualTo(writes.get(i).get(keys.get(k)).asDouble());
            }
        }
        JsonNode wire = answer.value().get("all").get("wire").get(0);
        assertThat(wire.get(2).asInt()).isEqualTo(writes.get(0).at("/wire/send").asInt());
        assertThat(wire.get(5).asInt())
                .isEqualTo(writes.get(0).at("/wire/payload").asInt());
        JsonNode chart = answer.value().get("all").get("charts").get(0);
        assertThat(chart.get("xs").toString()).isEqualTo("[4096,65536]");
        assertThat(chart.get("series").get(0).get("values").get(0).asDouble())
                .isEqualTo(writes.get(0).get("alone_us").asDouble());
        JsonNode expected = answer.value().get("all").get("expected");
        assertThat(expected).hasSize(4 * 11);
        assertThat(expected.get(0).get(3).asInt())
                .isEqualTo(writes.get(0).at("/wire/expected/sends").asInt())
                .isPositive();
        expected.forEach(r -> assertThat(r.get(5).asInt())
                .isEqualTo(r.get(4).asInt() - r.get(3).asInt()));
        assertThat(answer.value().get("all").get("told").asText()).contains("All 44 numbers are as computed");
        assertThat(answer.value().get("one")).hasSize(1);
        assertThat(answer.value().get("one").get(0).get(0).asText()).isEqualTo("daos");
        assertThat(answer.value().get("one").get(0).get(2).asInt()).isEqualTo(2);
        assertThat(answer.value().get("left").asInt()).isZero();
        Browser.assertFits(folder.resolve("compare.html"));
    }

    @Test
    void publishedNumbersStandBesideOurs() throws Exception {
        List<String> csv = Files.readAllLines(Path.of("src/main/resources/dev/clockwire/bench/validate/published.csv"));
        Path some = Files.write(folder.resolve("some.csv"), List.of(csv.get(0), csv.get(1), csv.get(2), csv.get(101)));
        String json = clockwire("validate", "--csv", some.toString(), "--json");
        Path document = Files.writeString(folder.resolve("validate.json"), json);
        Path page = folder.resolve("page.html");
        clockwire("report", document.toString(), "--out", page.toString());
        Browser.Answer answer = Browser.ask(page, TOOLS + """
            const all = rows('#nics'), points = drawn()[0];
            set('nics-kind', 'not simulated');
            return {all, points, kind: rows('#nics')};
            """);
        assertThat(answer.complaints()).isEmpty();
        JsonNode rows = MAPPER.readTree(json).get("rows");
        JsonNode all = answer.value().get("all");
        assertThat(all).hasSize(3);
        for (int i = 0; i < 2; i++) {
            double published = rows.get(i).get("expected").asDouble();
            double simulated = rows.get(i).get("simulated").asDouble();
            assertThat(all.get(i).get(5).asDouble()).isEqualTo(published);
            assertThat(all.get(i).get(6).asDouble()).isEqualTo(simulated);
            assertThat(all.get(i).get(8).asDouble()).isCloseTo(simulated / published, within(1e-12));
            assertThat(answer.value().at("/points/series/0/values").get(i).asDouble())
                    .isCloseTo(simulated / published, within(1e-12));
        }
        assertThat(answer.value().get("kind")).hasSize(1);
        assertThat(answer.value().get("kind").get(0).get(10).asText()).startsWith("not simulated: ");
        Browser.assertFits(page);
    }
}

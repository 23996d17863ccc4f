package dev.clockwire.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a sweep as a browser shows it: 15 runs at five points, of which one point fails. */
class SweepPageTest {
    private static final String PLAN = """
        command: perftest write-lat -n 500 # </script><script>window.taken = 1</script>
        list:
          - {size: 64, host.isolcpus: true}
          - {size: 64, host.isolcpus: false}
          - {size: 4096, host.isolcpus: true}
          - {size: 4096, host.isolcpus: false}
          - {size: -5, host.isolcpus: true}
        repeat: 3
        measure: [iterations, latency_us.avg, latency_us.p999]
        """;

    /** Sets a box or a field as a user does. */
    private static final String TOOLS = """
        const set = (id, value) => { const box = document.getElementById(id); box.value = value; ['input', 'change'].forEach(e => box.dispatchEvent(new Event(e))); };
        const cells = row => [...row.cells].map(c => c.dataset.value === undefined ? c.textContent : Number(c.dataset.value));
        const rows = id => [...document.querySelectorAll('#' + id + ' tbody tr')].map(cells);
        const drawn = () => charts.map(({plot}) => ({xs: plot.data[0], series: plot.series.slice(1).map((s, i) => ({label: s.label, means: plot.data[i + 1]})), x: plot.series[0].label,
          y: [plot.scales.y.min, plot.scales.y.max], log: plot.scales.x.distr === 3}));
        const show = async (measure, x, by) => { set('measure', measure); set('x', x); set('by', by); await later(); return {points: rows('results .scroll'), charts: drawn()}; };
        """;

    @TempDir
    private static Path folder = Path.of("");

    private static Path out = Path.of("");

    private static JsonNode results = new ObjectMapper().createObjectNode();

    private static JsonNode page = results;

    @BeforeAll
    static void open() throws IOException, InterruptedException {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), PLAN);
        out = folder.resolve("out");
        sweep(plan);
        results = new ObjectMapper().readTree(out.resolve("results.json").toFile());
        Browser.Answer answer = Browser.ask(Report.write(out), TOOLS + """
            const whisker = p => {
              const {plot} = charts[0], m = p.measures['latency_us.p999'], hex = style('--c1');
              const x = Math.round(plot.valToPos(+p.variables.size, 'x', true)), y = Math.round(plot.valToPos(m.mean + 0.8 * (m.high - m.mean), 'y', true));
              const {data} = plot.ctx.getImageData(x - 2, y, 5, 1);
              return [0, 4, 8, 12, 16].map(i => '#' + [0, 1, 2].map(k => data[i + k].toString(16).padStart(2, '0')).join('')).includes(hex);
            };
            const first = {x: document.getElementById('x').value, measure: document.getElementById('measure').value};
            const avg = await show('latency_us.avg', 'size', 'all others'), p999 = await show('latency_us.p999', 'size', 'host.isolcpus');
            const reaches = whisker(data.sweep.points[1]);
            const names = await show('latency_us.avg', 'host.isolcpus', 'none');
            set('filter', 'SIZE=64');
            const filtered = {points: rows('results .scroll'), count: document.getElementById('found').textContent};
            set('filter', '');
            const head = document.querySelectorAll('#results thead button')[1], order = () => { head.click(); return [head.parentElement.getAttribute('aria-sort'), rows('results .scroll').map(r => r[1])]; };
            return {first, avg, p999, reaches, names, filtered, sorted: [order(), order()], focusable: head.tabIndex, failed: rows('failed'), plan: document.getElementById('plan').textContent,
              provenance: document.querySelector('#provenance dl').textContent, taken: window.taken || 0, title: document.title};
            """);
        assertThat(answer.complaints()).isEmpty();
        page = answer.value();
    }

    private static void sweep(Path plan, String... more) {
        List<String> words = new ArrayList<>(List.of("sweep", plan.toString(), "--out", out.toString(), "--jobs", "2"));
        words.addAll(List.of(more));
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        assertThat(Main.run(nowhere, nowhere, words.toArray(String[]::new))).isEqualTo(1);
    }

    @Test
    void pointsAreThoseOfTheResults() {
        for (String measure : List.of("avg", "p999")) {
            JsonNode shown = page.get(measure).get("points");
            assertThat(shown).hasSize(5);
            for (int i = 0; i < 4; i++) {
                JsonNode expected = results.get("points").get(i).get("measures").get("latency_us." + measure);
                assertThat(shown.get(i).get(1).asText())
                        .isEqualTo(results.get("points")
                                .get(i)
                                .get("variables")
                                .get("size")
                                .asText());
                List<String> keys = List.of("n", "mean", "low", "high");
                for (int k = 0; k < keys.size(); k++) {
                    assertThat(shown.get(i).get(3 + k).asDouble())
                            .as(measure + " " + keys.get(k))
                            .isEqualTo(expected.get(keys.get(k)).asDouble());
                }
                assertThat(shown.get(i).get(7))
                        .isEqualTo(results.get("rows").get(3 * i).get("command"));
            }
            assertThat(shown.get(4).get(4).asText())
                    .as("of a point that failed")
                    .isEmpty();
        }
    }

    /** Each mean is drawn where its size is, on the line of its other variable; intervals are inside the chart. */
    @Test
    void chartsShowTheMeansAndTheIntervals() {
        for (String measure : List.of("avg", "p999")) {
            JsonNode chart = page.get(measure).get("charts").get(0);
            assertThat(chart.get("log").asBoolean()).isTrue();
            assertThat(chart.get("series")).hasSize(2);
            for (int i = 0; i < 4; i++) {
                JsonNode point = results.get("points").get(i);
                JsonNode expected = point.get("measures").get("latency_us." + measure);
                String label = "host.isolcpus="
                        + point.get("variables").get("host.isolcpus").asText();
                JsonNode line = StreamSupport.stream(chart.get("series").spliterator(), false)
                        .filter(s -> s.get("label").asText().equals(label))
                        .findFirst()
                        .orElseThrow();
                List<Double> there = new ArrayList<>();
                for (int k = 0; k < chart.get("xs").size(); k++) {
                    boolean here = chart.get("xs").get(k).asInt()
                            == point.get("variables").get("size").asInt();
                    if (here && !line.get("means").get(k).isNull()) {
                        there.add(line.get("means").get(k).asDouble());
                    }
                }
                assertThat(there).containsExactly(expected.get("mean").asDouble());
                assertThat(chart.get("y").get(0).asDouble())
                        .isLessThanOrEqualTo(expected.get("low").asDouble());
                assertThat(chart.get("y").get(1).asDouble())
                        .isGreaterThanOrEqualTo(expected.get("high").asDouble());
            }
        }
        assertThat(page.get("reaches").asBoolean())
                .as("a whisker above its mean")
                .isTrue();
        JsonNode names = page.get("names").get("charts").get(0);
        assertThat(names.get("xs")).extracting(JsonNode::asInt).containsExactly(0, 0, 1, 1);
        assertThat(names.get("log").asBoolean()).isFalse();
        assertThat(page.get("first").get("x").asText()).isEqualTo("size");
        assertThat(page.get("first").get("measure").asText())
                .as("all have 500 iterations")
                .isEqualTo("latency_us.avg");
    }

    @Test
    void theTableFiltersAndSorts() {
        assertThat(page.get("filtered").get("points"))
                .extracting(row -> row.get(1).asText())
                .containsExactly("64", "64");
        assertThat(page.get("filtered").get("count").asText()).isEqualTo("2 of 5 points");
        assertThat(page.get("sorted").toString())
                .isEqualTo("[[\"ascending\",[\"-5\",\"64\",\"64\",\"4096\",\"4096\"]],"
                        + "[\"descending\",[\"4096\",\"4096\",\"64\",\"64\",\"-5\"]]]");
        assertThat(page.get("focusable").asInt()).isZero();
    }

    @Test
    void failuresAndOriginAreTold() {
        assertThat(page.get("failed")).hasSize(3);
        for (int i = 0; i < 3; i++) {
            JsonNode expected = results.get("rows").get(12 + i);
            JsonNode shown = page.get("failed").get(i);
            assertThat(shown.get(0).asInt()).isEqualTo(expected.get("row").asInt());
            assertThat(shown.get(4).asInt()).isEqualTo(2);
            assertThat(shown.get(5).asText())
                    .isNotEmpty()
                    .isEqualTo(expected.get("error").asText());
            assertThat(shown.get(6)).isEqualTo(expected.get("command"));
        }
        assertThat(page.get("plan").asText()).isEqualTo(PLAN);
        assertThat(page.get("taken").asInt()).isZero();
        assertThat(results.get("versions")).hasSize(1);
        assertThat(page.get("provenance").asText())
                .contains(results.get("versions").get(0).asText(), "15, of which 3 failed", "perftest write-lat");
        assertThat(page.get("title").asText()).isEqualTo("Clockwire: sweep of perftest write-lat");
    }

    @Test
    void newResultsRemoveThePageOfTheOld() throws IOException {
        Path written = Report.write(out);
        sweep(out.resolve("plan.yaml"), "--resume");
        assertThat(written).doesNotExist();
    }

    @Test
    void nothingLiesBesideANarrowWindow() throws Exception {
        Browser.assertFits(Report.write(out));
    }
}

package dev.clockwire.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.bench.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as a browser shows it. */
class ReportPageTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Contrast of two colours as WCAG 2 defines it; text needs 4.5. */
    private static final String CONTRAST = """
        const light = name => {
          const hex = style(name).slice(1), full = hex.length === 3 ? [...hex].map(c => c + c).join('') : hex;
          const parts = [0, 2, 4].map(i => parseInt(full.slice(i, i + 2), 16) / 255).map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
          return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
        };
        const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
        const contrasts = ['--ink', '--quiet', '--accent'].flatMap(text => ['--ground', '--raised'].map(on => contrast(text, on)));
        """;

    private static final String DRAWN = """
        const drawn = charts.map(({plot}) => {
          const {data} = plot.ctx.getImageData(0, 0, plot.ctx.canvas.width, plot.ctx.canvas.height);
          let inked = 0;
          for (let i = 3; i < data.length; i += 4) inked += data[i] > 0;
          return inked;
        });
        """;

    @TempDir
    private static Path folder = Path.of("");

    private static Path out = Path.of("");

    @BeforeAll
    static void run() throws IOException {
        out = folder.resolve("run");
        String command = "perftest write-lat -s 4096 -n 300 -P host.iommu.enabled=true --out " + out;
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        assertThat(Main.run(nowhere, nowhere, command.split(" "))).isZero();
        Report.write(out);
    }

    private static JsonNode stats() throws IOException {
        return MAPPER.readTree(out.resolve("stats.json").toFile());
    }

    @Test
    void numbersAreThoseOfTheFiles() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), """
            const cells = row => [...row.cells].map(c => c.dataset.value === undefined ? c.textContent : Number(c.dataset.value));
            const rows = id => [...document.querySelectorAll('#' + id + ' tbody tr')].map(cells);
            """ + DRAWN + CONTRAST + """
            return {statistics: rows('statistics'), waterfall: rows('waterfall'), latency: rows('latency details'), drawn, stages: Array.from({length: 20}, (_, i) => make('i', {style: 'background:' + fill(i)}).style.background), contrasts,
              title: document.title, headings: [...document.querySelectorAll('h2')].map(h => h.textContent)};
            """);
        assertThat(answer.complaints()).isEmpty();
        JsonNode page = answer.value();
        Map<String, JsonNode> shown = new HashMap<>();
        page.get("statistics").forEach(row -> shown.put(row.get(0).asText(), row.get(1)));
        JsonNode stats = stats();
        assertThat(shown).hasSize(stats.get("stats").size());
        for (JsonNode stat : stats.get("stats")) {
            assertThat(Objects.requireNonNull(shown.get(stat.get("name").asText()))
                            .asDouble())
                    .as(stat.get("name").asText())
                    .isEqualTo(stat.get("value").asDouble());
        }
        JsonNode falls = stats.get("waterfalls");
        for (int i = 0; i < falls.size(); i++) {
            for (JsonNode row : page.get("waterfall")) {
                String stage = row.get(0).asText();
                double expected = stage.equals("total")
                        ? falls.get(i).get("latency_ns").asDouble()
                        : Stream.iterate(0, k -> k + 1)
                                .limit(falls.get(i).get("stages").size())
                                .map(falls.get(i).get("stages")::get)
                                .filter(s -> s.get("stage").asText().equals(stage))
                                .mapToDouble(s -> s.get("ns").asDouble())
                                .sum();
                assertThat(row.get(1 + i).asDouble()).as(stage).isEqualTo(expected);
            }
        }
        assertThat(page.get("stages"))
                .doesNotHaveDuplicates()
                .noneMatch(f -> f.asText().isEmpty());
        LatencyCurve curve = LatencyCurve.read(out.resolve("latency.hgrm"));
        assertThat(page.get("latency")).hasSize(curve.points().size());
        for (int i = 0; i < curve.points().size(); i++) {
            LatencyCurve.Point point = curve.points().get(i);
            assertThat(page.get("latency").get(i))
                    .extracting(JsonNode::asDouble)
                    .containsExactly(point.percentile(), point.ns(), (double) point.count());
        }
        assertThat(page.get("title").asText())
                .isEqualTo("Clockwire: " + stats.get("command").asText());
        assertThat(page.get("headings"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "Where this comes from",
                        "Where the time goes",
                        "Where the tail comes from",
                        "Pipeline, cycle by cycle",
                        "Latency by percentile",
                        "How busy links are",
                        "Packets",
                        "Drops by cause",
                        "PCIe links",
                        "Who waits for whom",
                        "All statistics");
        page.get("drawn").forEach(inked -> assertThat(inked.asInt()).isGreaterThan(5000));
        page.get("contrasts").forEach(c -> assertThat(c.asDouble()).isGreaterThan(4.5));
    }

    @Test
    void chartsZoomByKeysAndByMouseAndTheTableFilters() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), """
            const {plot, frame} = charts[0];
            const range = () => [plot.scales.x.min, plot.scales.x.max];
            const key = async k => { frame.dispatchEvent(new KeyboardEvent('keydown', {key: k, bubbles: true})); await later(); return range(); };
            const whole = range(), zoomed = await key('+'), moved = await key('ArrowRight'), back = await key('0');
            const box = plot.over.getBoundingClientRect();
            const mouse = (type, part, on) => on.dispatchEvent(new MouseEvent(type, {clientX: box.left + part * box.width, clientY: box.top + 50, movementX: 9, bubbles: true, button: 0}));
            mouse('mousemove', 0.25, plot.over); mouse('mousedown', 0.25, plot.over); await later();
            mouse('mousemove', 0.5, document); mouse('mousemove', 0.5, plot.over); await later();
            mouse('mouseup', 0.5, document); await later();
            const dragged = range();
            const filter = document.getElementById('filter'), zeros = document.getElementById('zeros');
            const found = () => [...document.querySelectorAll('#statistics tbody tr')].filter(r => !r.hidden).map(r => r.cells[0].textContent);
            const set = text => { filter.value = text; filter.dispatchEvent(new Event('input')); return found(); };
            const unfiltered = found(), iommu = set('HOST0 iommu'), nothing = set('no such thing');
            zeros.click();
            const all = set('');
            return {whole, zoomed, moved, back, dragged, unfiltered, iommu, nothing, all, count: document.getElementById('found').textContent};
            """);
        assertThat(answer.complaints()).isEmpty();
        JsonNode page = answer.value();
        double whole = width(page.get("whole"));
        assertThat(width(page.get("zoomed"))).isCloseTo(whole / 2, within(0.01));
        assertThat(page.get("moved").get(0).asDouble())
                .isGreaterThan(page.get("zoomed").get(0).asDouble());
        assertThat(width(page.get("back"))).isCloseTo(whole, within(0.01));
        assertThat(width(page.get("dragged"))).isCloseTo(whole / 4, within(0.05 * whole));
        assertThat(page.get("iommu"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(name.asText()).contains("host0", "iommu"));
        assertThat(page.get("nothing")).isEmpty();
        int stats = stats().get("stats").size();
        assertThat(page.get("all")).hasSize(stats);
        assertThat(page.get("unfiltered")).hasSizeBetween(1, stats - 1);
        assertThat(page.get("count").asText()).isEqualTo(stats + " of " + stats);
    }

    /** The first WRITE of one packet and what acknowledges it have the same PSN. */
    @Test
    void aPsnLeavesARequestAndItsAnswer() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), """
            const words = document.getElementById('packets'), first = data.frames.first[0];
            words.value = first.packet.psn.toUpperCase();
            words.dispatchEvent(new Event('input'));
            const left = [...document.querySelectorAll('button.rung')].filter(r => r.offsetHeight > 0);
            left[0].click();
            return {labels: left.map(r => r.getAttribute('aria-label')), bytes: document.getElementById('bytes').textContent};
            """);
        assertThat(answer.complaints()).isEmpty();
        assertThat(answer.value().get("labels"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "frame 1, RC_RDMA_WRITE_ONLY from 10.0.0.1 to 10.0.0.2",
                        "frame 2, RC_ACKNOWLEDGE from 10.0.0.2 to 10.0.0.1");
        assertThat(answer.value().get("bytes").asText())
                .contains("opcode: RC_RDMA_WRITE_ONLY", "(the first 256 of 4170 bytes)");
    }

    @Test
    void thatNothingWasLostIsSaid() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), """
            return {text: document.querySelector('#drops p').textContent, tables: document.querySelectorAll('#drops table').length};
            """);
        assertThat(answer.value().get("text").asText()).startsWith("No drops: none of ");
        assertThat(answer.value().get("tables").asInt()).isZero();
    }

    /** In decades. */
    private static double width(JsonNode range) {
        return Math.log10(range.get(1).asDouble() / range.get(0).asDouble());
    }

    @Test
    void inTheDarkItIsDarkAndReadable() throws Exception {
        JsonNode page = Browser.ask(
                        out.resolve("report.html"),
                        CONTRAST + DRAWN
                                + "return {contrasts, drawn, ground: light('--ground'), body:"
                                + " getComputedStyle(document.body).backgroundColor};",
                        "--blink-settings=preferredColorScheme=0")
                .value();
        assertThat(page.get("ground").asDouble()).isLessThan(0.05);
        assertThat(page.get("body").asText()).isEqualTo("rgb(20, 24, 30)");
        page.get("contrasts").forEach(c -> assertThat(c.asDouble()).isGreaterThan(4.5));
        page.get("drawn").forEach(inked -> assertThat(inked.asInt()).isGreaterThan(5000));
    }

    @Test
    void hostileTextIsText() throws Exception {
        String hostile =
                "</script><script>window.taken=1</script><img src=x onerror=window.taken=1><!-- <script> \u2028 ' \""
                        + " \\";
        Path made = Files.createDirectories(folder.resolve("<b>&'"));
        ObjectNode stats = stats().deepCopy();
        stats.put("command", hostile);
        stats.put("profile", hostile);
        ObjectNode first = (ObjectNode) stats.get("stats").get(0);
        first.put("name", hostile).put("value", 7);
        ((ObjectNode) stats.get("waterfalls").get(0).get("stages").get(0)).put("stage", hostile);
        MAPPER.writeValue(made.resolve("stats.json").toFile(), stats);
        Browser.Answer answer = Browser.ask(Report.write(made), """
            return {taken: window.taken || 0, images: document.images.length, command: document.querySelector('code').textContent,
              name: document.querySelector('#statistics tbody td').textContent};
            """);
        assertThat(answer.complaints()).isEmpty();
        assertThat(answer.value().get("taken").asInt()).isZero();
        assertThat(answer.value().get("images").asInt()).isZero();
        assertThat(answer.value().get("command").asText()).isEqualTo(hostile);
        assertThat(answer.value().get("name").asText()).isEqualTo(hostile);
    }

    /** The judge can fail: errors and requests are seen; the page may make none. */
    @Test
    void errorsAndRequestsWouldBeSeen() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), """
            const image = new Image();
            image.src = 'http://127.0.0.1:9/x.png';
            setTimeout(() => { throw new Error('seen'); }, 1);
            await later();
            return 1;
            """);
        assertThat(answer.complaints())
                .anySatisfy(line -> assertThat(line).contains("seen"))
                .anySatisfy(line -> assertThat(line).contains("Content Security Policy"));
    }

    @Test
    void nothingLiesBesideANarrowWindow() throws Exception {
        Browser.assertFits(out.resolve("report.html"));
    }
}

package dev.clockwire.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cycle view as a browser shows it. */
class PipelinePageTest {
    /** Bars, the stretch that is shown, and the number of the chosen operation. */
    private static final String LOOK = """
        const frame = document.getElementById('cycles'), svg = frame.querySelector('svg'), box = () => svg.getBoundingClientRect();
        const told = () => document.getElementById('shown').textContent.replace(/,/g, '').match(/-?[\\d.]+/g).map(Number);
        const bars = () => [...svg.querySelectorAll('rect.bar')].map(b => [b.dataset.operation, b.querySelector('title').textContent, b.getBoundingClientRect().width]);
        const chosen = () => [...document.querySelectorAll('#pipeline button[aria-pressed]')].findIndex(b => b.getAttribute('aria-pressed') === 'true');
        const key = k => { frame.dispatchEvent(new KeyboardEvent('keydown', {key: k, bubbles: true, cancelable: true})); return told(); };
        const open = name => { const s = document.getElementById('window'); s.value = [...s.options].find(o => o.textContent === name).value; s.dispatchEvent(new Event('change')); };
        const stages = () => [...document.querySelectorAll('#stages tbody tr')].map(r => [...r.cells].map(c => c.dataset.value === undefined ? c.textContent : Number(c.dataset.value)));
        """;

    @TempDir
    private static Path folder = Path.of("");

    private static Path out = Path.of("");

    @BeforeAll
    static void run() throws IOException {
        out = folder.resolve("run");
        String command = "perftest write-lat -s 8192 -n 200 -P host.iommu.enabled=true --out " + out;
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        assertThat(Main.run(nowhere, nowhere, command.split(" "))).isZero();
        Report.write(out);
    }

    private static JsonNode json(String file) throws IOException {
        return new ObjectMapper().readTree(out.resolve(file).toFile());
    }

    private static JsonNode window(String name) throws IOException {
        for (JsonNode w : json(RunFiles.OPERATIONS).get("windows")) {
            if (w.get("name").asText().equals(name)) {
                return w;
            }
        }
        throw new AssertionError(name);
    }

    private static JsonNode own(JsonNode window) {
        for (JsonNode o : window.get("operations")) {
            if (o.get("number").equals(window.get("operation"))) {
                return o;
            }
        }
        throw new AssertionError();
    }

    /** Half a round trip is the latency of a ping-pong: what the statistics say of the slowest is what its window shows. */
    @Test
    void windowsAreOfTheOperationsThatTheStatisticsTellOf() throws IOException {
        JsonNode falls = json(RunFiles.STATS).get("waterfalls");
        JsonNode slowest = own(window("slowest"));
        long round = slowest.get("done_ps").asLong() - slowest.get("posted_ps").asLong();
        assertThat(round / 2000.0)
                .isCloseTo(falls.get(falls.size() - 1).get("latency_ns").asDouble(), within(0.001));
        double median = own(window("median")).get("done_ps").asLong()
                - own(window("median")).get("posted_ps").asLong();
        assertThat(median / 2000).isCloseTo(falls.get(1).get("latency_ns").asDouble(), within(median / 2000 * 0.01));
        assertThat(own(window("first")).get("number").asInt()).isZero();
        assertThat(window("P99").get("operations")).hasSizeBetween(5, 8);
    }

    /** As packets are numbered elsewhere on the page. */
    private static String hex(long part) {
        return part > 9 ? "0x" + Long.toHexString(part) : Long.toString(part);
    }

    @Test
    void aBarForEachSpanAndATableOfTheChosenOperation() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), LOOK + """
            open('slowest');
            return {bars: bars(), stages: stages(), chosen: chosen(), told: told(), caption: document.querySelector('#stages caption').textContent};
            """);
        assertThat(answer.complaints()).isEmpty();
        JsonNode page = answer.value();
        JsonNode slowest = window("slowest");
        JsonNode own = own(slowest);
        int spans = 0;
        for (JsonNode o : slowest.get("operations")) {
            spans += o.get("spans").size();
        }
        assertThat(page.get("bars")).hasSize(spans);
        page.get("bars").forEach(bar -> assertThat(bar.get(2).asDouble()).isGreaterThan(1));
        double cycle = json(RunFiles.OPERATIONS).get("cycle_ps").asDouble();
        double zero = Math.floor(own.get("posted_ps").asLong() / cycle) * cycle;
        List<String> expected = new ArrayList<>();
        JsonNode lanes = json(RunFiles.OPERATIONS).get("lanes");
        for (JsonNode s : own.get("spans")) {
            double in = s.get(2).asLong() - zero;
            double end = s.get(3).asLong() - zero;
            expected.add(lanes.get(s.get(0).asInt()).asText() + (s.get(5).asInt() == 0 ? " request " : " answer ")
                    + hex(s.get(1).asLong()) + " " + in / cycle + " " + end / cycle + " " + (end - in) / cycle + " "
                    + in / 1000 + " " + (end - in) / 1000 + " " + s.get(4).asText());
        }
        List<String> shown = new ArrayList<>();
        page.get("stages")
                .forEach(r -> shown.add(r.get(0).asText() + r.get(1).asText().replace("the", "")
                        + " " + r.get(2).asText() + " " + r.get(3).asDouble() + " "
                        + r.get(4).asDouble() + " "
                        + r.get(5).asDouble() + " " + r.get(6).asDouble() + " "
                        + r.get(7).asDouble() + " "
                        + r.get(8).asText()));
        assertThat(shown).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(page.get("caption").asText()).startsWith("Operation " + own.get("number") + ", ");
    }

    @Test
    void keysWheelAndMouseZoomMoveAndChoose() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), LOOK + """
            open('median');
            const whole = told(), plus = key('+'), right = key('ArrowRight'), left = key('ArrowLeft'), minus = key('-'), far = [...Array(40)].map(() => key('+')).pop();
            const zoomedBars = bars().length, zero = key('0'), first = chosen();
            key('ArrowDown');
            const down = chosen();
            key('ArrowUp');
            const up = chosen();
            const wheel = () => { const e = new WheelEvent('wheel', {deltaY: -100, clientX: box().left + box().width / 2, bubbles: true, cancelable: true}); svg.dispatchEvent(e); return e.defaultPrevented; };
            frame.blur();
            document.activeElement.blur();
            const unfocused = wheel(), still = told();
            frame.focus();
            const focused = wheel(), wheeled = told();
            key('0');
            const mouse = (type, part) => svg.dispatchEvent(new PointerEvent(type, {clientX: box().left + 130 + part * (box().width - 138), clientY: box().top + 60, button: 0, bubbles: true}));
            mouse('pointerdown', 0.25); mouse('pointermove', 0.4); mouse('pointermove', 0.5);
            const marked = svg.querySelectorAll('.mark').length;
            mouse('pointerup', 0.5);
            const dragged = told();
            svg.dispatchEvent(new MouseEvent('dblclick', {bubbles: true}));
            const again = told();
            frame.scrollIntoView();
            const bar = [...svg.querySelectorAll('rect.bar')].filter(b => b.dataset.operation !== String(data.operations.windows[1].operation)).pop(), at = bar.getBoundingClientRect();
            for (const type of ['pointerdown', 'pointerup']) bar.dispatchEvent(new PointerEvent(type, {clientX: at.left + at.width / 2, clientY: at.top + at.height / 2, button: 0, bubbles: true}));
            const clicked = document.querySelector('#stages caption').textContent, faded = [...svg.querySelectorAll('rect.bar')].filter(b => b.classList.contains('chosen')).map(b => b.dataset.operation);
            return {whole, plus, right, left, minus, far, zoomedBars, zero, first, down, up, unfocused, still, focused, wheeled, marked, dragged, again, wanted: bar.dataset.operation, clicked, faded};
            """);
        assertThat(answer.complaints()).isEmpty();
        JsonNode page = answer.value();
        double whole = width(page, "whole");
        assertThat(width(page, "plus")).isCloseTo(whole / 2, within(0.02));
        assertThat(begin(page, "right")).isCloseTo(begin(page, "plus") + whole / 8, within(0.02));
        assertThat(page.get("left")).isEqualTo(page.get("plus"));
        assertThat(page.get("minus")).isEqualTo(page.get("whole"));
        assertThat(width(page, "far")).isCloseTo(4, within(0.02));
        assertThat(page.get("zoomedBars").asInt()).isLessThan(40);
        assertThat(page.get("zero")).isEqualTo(page.get("whole"));
        assertThat(page.get("down").asInt()).isEqualTo(page.get("first").asInt() + 1);
        assertThat(page.get("up")).isEqualTo(page.get("first"));
        assertThat(page.get("unfocused").asBoolean()).isFalse();
        assertThat(page.get("still")).isEqualTo(page.get("whole"));
        assertThat(page.get("focused").asBoolean()).isTrue();
        assertThat(width(page, "wheeled")).isCloseTo(0.8 * whole, within(0.02));
        assertThat(page.get("marked").asInt()).isEqualTo(1);
        assertThat(width(page, "dragged")).isCloseTo(whole / 4, within(0.02 * whole));
        assertThat(page.get("again")).isEqualTo(page.get("whole"));
        assertThat(page.get("clicked").asText())
                .startsWith("Operation " + page.get("wanted").asText() + ", ");
        assertThat(page.get("faded")).isNotEmpty().allMatch(n -> n.equals(page.get("wanted")));
    }

    private static double begin(JsonNode page, String name) {
        return page.get(name).get(0).asDouble();
    }

    /** In cycles. */
    private static double width(JsonNode page, String name) {
        return page.get(name).get(1).asDouble() - begin(page, name);
    }
}

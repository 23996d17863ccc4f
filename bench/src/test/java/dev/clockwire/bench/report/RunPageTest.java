package dev.clockwire.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.cli.Main;
import dev.clockwire.bench.csv.CsvFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What made a run, how busy its links were, who waited for whom: of a stream that losses disturb. */
class RunPageTest {
    private static final String ROWS = """
        const cell = c => c.dataset.value === undefined ? c.textContent : Number(c.dataset.value);
        const rows = at => [...document.querySelectorAll(at + ' tbody tr')].map(r => [...r.cells].map(cell));
        """;

    @TempDir
    private static Path folder = Path.of("");

    private static Path out = Path.of("");

    @BeforeAll
    static void run() throws IOException {
        Path faults = Files.writeString(
                folder.resolve("f.yaml"),
                "faults:\n  - {drop: frame, frames: [40, 900]}\n  - {corrupt: frame, frames: [300], bit: 800}\n");
        Path profile = Files.writeString(folder.resolve("p.yaml"), "base: cx6-200g\nnic: {core_mhz: 300}\n");
        out = folder.resolve("run");
        String command = "perftest write-bw -s 65536 -n 100 --profile " + profile + " -P pcie.lanes=8 --faults "
                + faults + " --out " + out;
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        assertThat(Main.run(nowhere, nowhere, command.split(" "))).isZero();
        Report.write(out);
    }

    private static JsonNode stats() throws IOException {
        return new ObjectMapper().readTree(out.resolve(RunFiles.STATS).toFile());
    }

    @Test
    void provenanceAndWhatIsNotTheProfiles() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), ROWS + """
            return {facts: Object.fromEntries([...document.querySelectorAll('#provenance dt')].map(t => [t.textContent, t.nextSibling.textContent])), overrides: rows('#provenance')};
            """);
        assertThat(answer.complaints()).isEmpty();
        JsonNode facts = answer.value().get("facts");
        assertThat(facts.get("profile hash").asText())
                .isEqualTo(stats().get("profile_hash").asText());
        assertThat(facts.get("command").asText())
                .isEqualTo(stats().get("command").asText());
        assertThat(facts.get("seed").asText()).isEqualTo("1");
        assertThat(facts.get("version").asText())
                .isEqualTo(stats().get("version").asText());
        assertThat(answer.value().get("overrides"))
                .extracting(JsonNode::toString)
                .containsExactly(
                        "[\"nic.core_mhz\",\"300\",\"250\",\"MHz\",\"p.yaml:2:17\"]",
                        "[\"pcie.lanes\",\"8\",\"16\",\"\",\"-P\"]");
    }

    /** The bytes of all stretches are those that the link has counted; what is shown is what stands in the file. */
    @Test
    void sharesOfALineAreThoseOfItsBytes() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), ROWS + """
            document.querySelectorAll('#utilisation details').forEach(d => d.open = true);
            const shown = [...document.querySelectorAll('#utilisation details table')].map(t => [t.caption.textContent, [...t.tBodies[0].rows].map(r => [...r.cells].map(cell))]);
            const words = document.getElementById('links-filter');
            words.value = 'PCIE';
            words.dispatchEvent(new Event('input'));
            await later();
            return {shown: Object.fromEntries(shown), left: [...document.querySelectorAll('#utilisation h3')].map(h => h.textContent),
              labels: [...document.querySelectorAll('#utilisation .chart')].map(c => c.getAttribute('aria-label')), found: document.querySelector('#utilisation output').textContent};
            """);
        assertThat(answer.complaints()).isEmpty();
        JsonNode shown = answer.value().get("shown");
        Map<String, Double> counted = new HashMap<>();
        stats().get("stats")
                .forEach(s -> counted.put(s.get("name").asText(), s.get("value").asDouble()));
        Map<String, Double> bits = new TreeMap<>();
        Map<String, Double> before = new HashMap<>();
        CsvFile csv = CsvFile.read(out.resolve(RunFiles.SERIES), Set.of(), Set.of());
        for (int i = 0; i < csv.size(); i++) {
            JsonNode row = row(shown.get(csv.text(i, "object")), Double.parseDouble(csv.text(i, "time_us")));
            boolean payload = csv.text(i, "metric").equals("payload_percent");
            assertThat(row.get(payload ? 1 : 2).asDouble()).isEqualTo(Double.parseDouble(csv.text(i, "value")));
            assertThat(row.get(3).asDouble())
                    .isCloseTo(
                            Math.max(0, 100 - row.get(1).asDouble() - row.get(2).asDouble()), within(1e-9));
            double us = row.get(0).asDouble();
            String what = csv.text(i, "object") + (payload ? " payload" : " overhead");
            bits.merge(
                    what,
                    row.get(payload ? 1 : 2).asDouble() / 100 * (us - before.getOrDefault(what, 0.0)),
                    Double::sum);
            before.put(what, us);
        }
        double kbps = of(counted, "link.a.line_kbps");
        assertThat(kbps).isEqualTo(200e6);
        double bytes = kbps / 8e3; // in a us
        double payload = of(counted, "link.a.tx_payload_bytes");
        assertThat(of(bits, "link.a payload") * bytes).isCloseTo(payload, within(payload * 1e-4));
        assertThat(of(bits, "link.a overhead") * bytes)
                .isCloseTo(of(counted, "link.a.tx_line_bytes") - payload, within(100.0));
        assertThat(answer.value().get("left"))
                .isNotEmpty()
                .allMatch(name -> name.asText().contains("pcie"));
        assertThat(answer.value().get("labels"))
                .hasSameSizeAs(answer.value().get("left"))
                .allMatch(label -> label.asText().contains("share of the line"));
        assertThat(answer.value().get("found").asText())
                .isEqualTo(answer.value().get("left").size() + " of " + shown.size());
    }

    private static double of(Map<String, Double> values, String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    private static JsonNode row(JsonNode table, double us) {
        for (JsonNode row : table) {
            if (row.get(0).asDouble() == us) {
                return row;
            }
        }
        throw new AssertionError("no " + us);
    }

    @Test
    void theStallTableNamesBothParties() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), ROWS + """
            const visible = () => [...document.querySelectorAll('#waits tbody tr')].filter(r => !r.hidden).map(r => r.cells[3].textContent + ' ' + r.cells[2].textContent);
            const busy = visible();
            document.getElementById('waits-idle').click();
            const all = visible(), words = document.getElementById('waits-filter');
            words.value = 'TXMAC encoder';
            words.dispatchEvent(new Event('input'));
            return {rows: rows('#waits'), busy, all, mac: visible()};
            """);
        assertThat(answer.complaints()).isEmpty();
        JsonNode page = answer.value();
        JsonNode waits = stats().get("waits");
        double window = waits.get("to_ps").asDouble() - waits.get("from_ps").asDouble();
        Map<String, JsonNode> shown = new HashMap<>();
        page.get("rows")
                .forEach(r -> shown.put(r.get(3).asText() + " " + r.get(2).asText(), r));
        Map<String, String> words = Map.of(
                "not_taken", "it has not taken what lies there",
                "no_room", "it has left no room",
                "nothing", "it has nothing for it");
        int idle = 0;
        for (JsonNode w : waits.get("channels")) {
            JsonNode row = Objects.requireNonNull(shown.get(
                    w.get("channel").asText() + " " + words.get(w.get("why").asText())));
            assertThat(row.get(0)).isEqualTo(w.get("waits"));
            assertThat(row.get(1)).isEqualTo(w.get("for"));
            assertThat(row.get(4).asDouble()).isCloseTo(100 * w.get("ps").asDouble() / window, within(1e-9));
            assertThat(row.get(5).asDouble()).isEqualTo(w.get("ps").asDouble() / 1000);
            assertThat(row.get(6).asDouble()).isEqualTo(w.get("longest_ps").asDouble() / 1000);
            assertThat(row.get(7)).isEqualTo(w.get("times"));
            idle += w.get("why").asText().equals("nothing") ? 1 : 0;
        }
        for (JsonNode w : waits.get("stages")) {
            assertThat(page.get("rows"))
                    .anySatisfy(row -> assertThat(row.get(0).asText() + " "
                                    + row.get(1).asText() + " " + row.get(5).asDouble() + " " + row.get(7))
                            .isEqualTo("operations in " + w.get("stage").asText() + " "
                                    + w.get("for").asText() + " " + w.get("ps").asDouble() / 1000 + " "
                                    + w.get("times")));
        }
        assertThat(waits.get("stages"))
                .anySatisfy(w -> assertThat(w.get("stage").asText() + " waits for "
                                + w.get("for").asText())
                        .isEqualTo("payload_dma waits for outstanding reads"));
        assertThat(page.get("all")).hasSize(page.get("rows").size());
        assertThat(page.get("busy")).hasSize(page.get("rows").size() - idle).isNotEmpty();
        assertThat(page.get("mac")).extracting(JsonNode::asText).contains("host0.nic.frames it has nothing for it");
        JsonNode frames = Objects.requireNonNull(shown.get("host0.nic.frames it has nothing for it"));
        assertThat(frames.get(0).asText()).isEqualTo("host0.nic.txMac");
        assertThat(frames.get(1).asText()).isEqualTo("host0.nic.encoder");
    }

    /** The plan takes two frames of each direction that has so many. */
    @Test
    void dropsAreToldByCause() throws Exception {
        Browser.Answer answer = Browser.ask(
                out.resolve("report.html"),
                ROWS + "return {rows: rows('#drops'), bars: document.querySelectorAll('#drops .bar').length};");
        assertThat(answer.complaints()).isEmpty();
        double lost = 0;
        for (JsonNode s : stats().get("stats")) {
            lost += s.get("name").asText().endsWith(".fault_lost")
                    ? s.get("value").asDouble()
                    : 0;
        }
        double expected = lost;
        assertThat(lost).isGreaterThanOrEqualTo(2);
        assertThat(answer.value().get("rows")).anySatisfy(row -> {
            assertThat(row.get(0).asText()).isEqualTo("fault_lost");
            assertThat(row.get(1).asDouble()).isEqualTo(expected);
            assertThat(row.get(4).asText()).contains("link.a (2)");
        });
        assertThat(answer.value().get("rows"))
                .anySatisfy(
                        row -> assertThat(row.get(0).asText() + " " + row.get(1).asInt())
                                .isEqualTo("rx_icrc_encapsulated 1"));
        assertThat(answer.value().get("bars").asInt())
                .isEqualTo(answer.value().get("rows").size());
    }

    /** Whoever sees no picture, or has no mouse, reaches everything: names of charts, tables behind them, the order of the keyboard. */
    @Test
    void chartsHaveNamesAndTablesAndTheKeyboardReachesThem() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), """
            const framed = [...document.querySelectorAll('.chart')];
            const named = e => e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || (e.labels && e.labels.length > 0 && e.labels[0].textContent) || e.textContent.trim();
            const focusable = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')].filter(e => e.offsetParent !== null || e === document.body);
            const order = focusable.map(e => e.closest('section')?.id).filter((s, i, all) => s && s !== all[i - 1]);
            const zoom = document.getElementById('cycles');
            zoom.focus();
            return {unnamed: [...framed, ...document.querySelectorAll('[role=img], [role=region], [role=group], [role=search] input, select')].filter(e => !named(e)).map(e => e.outerHTML.slice(0, 80)),
              bare: framed.filter(f => !f.closest('section').querySelector('table caption')).map(named), unreachable: framed.filter(f => f.tabIndex !== 0).map(named),
              positive: focusable.filter(e => e.tabIndex > 0).length, silent: focusable.filter(e => !named(e)).map(e => e.outerHTML.slice(0, 80)), order,
              sections: [...document.querySelectorAll('main > section')].map(s => s.id), focused: document.activeElement.id,
              headless: [...document.querySelectorAll('main table:not(.u-legend)')].filter(t => !t.caption || t.querySelectorAll('th[scope=col]').length === 0).length, hidden: document.querySelector('#cycles svg').getAttribute('aria-hidden')};
            """);
        assertThat(answer.complaints()).isEmpty();
        JsonNode page = answer.value();
        for (String wrong : new String[] {"unnamed", "bare", "unreachable", "silent"}) {
            assertThat(page.get(wrong)).as(wrong).isEmpty();
        }
        assertThat(page.get("positive").asInt()).isZero();
        assertThat(page.get("headless").asInt()).isZero();
        assertThat(page.get("focused").asText()).isEqualTo("cycles");
        assertThat(page.get("hidden").asText()).isEqualTo("true");
        assertThat(page.get("order"))
                .extracting(JsonNode::asText)
                .contains("pipeline", "latency", "utilisation", "waits")
                .isSubsetOf(StreamSupport.stream(page.get("sections").spliterator(), false)
                        .map(JsonNode::asText)
                        .toList());
    }

    @Test
    void itFitsANarrowWindow() throws Exception {
        Browser.assertFits(out.resolve("report.html"));
    }
}

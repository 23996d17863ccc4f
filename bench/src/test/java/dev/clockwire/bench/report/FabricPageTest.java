package dev.clockwire.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.bench.cli.Main;
import dev.clockwire.bench.csv.CsvFile;
import dev.clockwire.sim.capture.CaptureReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rates and queues over time, packets, and what was lost, as a browser shows them; of a fabric that loses packets. */
class FabricPageTest {
    @TempDir
    private static Path folder = Path.of("");

    private static Path out = Path.of("");

    @BeforeAll
    static void run() throws IOException {
        Path yaml = Files.writeString(folder.resolve("f.yaml"), """
            topology: {kind: star, hosts: 5, gbps: 100, delay_us: 1}
            switches: {buffer: {bytes: 500000}, pfc: {classes: []}}
            hosts: {dcqcn: off}
            flows:
              - incast: {from: 4, to: host4, bytes: 1000000}
            until_ms: 20
            """);
        out = folder.resolve("run");
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        int code = Main.run(
                nowhere, nowhere, "fabric", "run", yaml.toString(), "--endpoints", "hw", "--out", out.toString());
        assertThat(code).isZero();
        Report.write(out);
    }

    @Test
    void seriesAreThoseOfTheFileAndCanBeFiltered() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), """
            document.querySelectorAll('#series details').forEach(d => d.open = true);
            const shown = [...document.querySelectorAll('#series details table')].map(t => ({metric: t.caption.textContent,
              names: [...t.tHead.rows[0].cells].map(c => c.textContent), rows: [...t.tBodies[0].rows].map(r => [...r.cells].map(c => c.dataset.value === undefined ? null : Number(c.dataset.value)))}));
            const before = charts.length, objects = document.getElementById('objects');
            const plotted = charts.filter(c => document.getElementById('series').contains(c.frame)).map(c => c.plot.data[1].filter(v => v !== null).length);
            objects.value = 'SWITCH'; objects.dispatchEvent(new Event('input'));
            await later();
            return {shown, before, plotted, after: charts.length, left: charts.filter(c => document.getElementById('series').contains(c.frame)).flatMap(c => c.plot.series.slice(1).map(s => s.label))};
            """);
        assertThat(answer.complaints()).isEmpty();
        JsonNode page = answer.value();
        Map<String, Double> values = new HashMap<>();
        for (JsonNode chart : page.get("shown")) {
            for (JsonNode row : chart.get("rows")) {
                for (int i = 1; i < row.size(); i++) {
                    if (!row.get(i).isNull()) {
                        String object = chart.get("names").get(i).asText();
                        values.put(
                                chart.get("metric").asText() + " " + object + " "
                                        + row.get(0).asDouble(),
                                row.get(i).asDouble());
                    }
                }
            }
        }
        CsvFile csv = CsvFile.read(out.resolve("series.csv"), Set.of(), Set.of());
        int seen = 0;
        for (int i = 0; i < csv.size(); i++) {
            if (csv.text(i, "metric").endsWith("_percent")) {
                continue; // in a section of its own
            }
            seen++;
            String key = csv.text(i, "metric") + " " + csv.text(i, "object") + " "
                    + Double.parseDouble(csv.text(i, "time_us"));
            assertThat(values).containsEntry(key, Double.parseDouble(csv.text(i, "value")));
        }
        assertThat(values).hasSize(seen);
        page.get("plotted").forEach(points -> assertThat(points.asInt()).isPositive());
        assertThat(page.get("after").asInt()).isBetween(1, page.get("before").asInt() - 1);
        assertThat(page.get("left"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(name.asText()).contains("switch"));
    }

    @Test
    void aPacketThatIsChosenShowsItsBytes() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), """
            const rungs = [...document.querySelectorAll('button.rung')];
            rungs[2].click();
            return {rungs: rungs.length, bytes: document.getElementById('bytes').textContent, pressed: rungs.map(r => r.getAttribute('aria-pressed')).indexOf('true'),
              label: rungs[2].getAttribute('aria-label')};
            """);
        assertThat(answer.complaints()).isEmpty();
        JsonNode page = answer.value();
        String bytes = page.get("bytes").asText();
        try (CaptureReader reader = CaptureReader.open(out.resolve("capture.pcapng"))) {
            for (int i = 0; i < 3; i++) {
                assertThat(reader.next()).isTrue();
            }
            int at = reader.dataOffset();
            assertThat(bytes)
                    .contains("0000  " + HexFormat.ofDelimiter(" ").formatHex(reader.data(), at, at + 16))
                    .contains("0010  " + HexFormat.ofDelimiter(" ").formatHex(reader.data(), at + 16, at + 32));
        }
        assertThat(page.get("rungs").asInt()).isEqualTo(200);
        assertThat(page.get("pressed").asInt()).isEqualTo(2);
        assertThat(page.get("label").asText()).startsWith("frame 3, ");
    }

    @Test
    void whatWasLostAndWhoWaitedStandsInTheStatistics() throws Exception {
        Browser.Answer answer = Browser.ask(out.resolve("report.html"), """
            const rows = id => [...document.querySelectorAll('#' + id + ' tbody tr')].map(r => [...r.cells].map(c => c.dataset.value === undefined ? c.textContent : Number(c.dataset.value)));
            return {losses: rows('losses'), links: rows('links'), waits: rows('waits')};
            """);
        assertThat(answer.complaints()).isEmpty();
        JsonNode stats = new ObjectMapper().readTree(out.resolve("stats.json").toFile());
        Map<String, Double> all = new HashMap<>();
        stats.get("stats")
                .forEach(s -> all.put(s.get("name").asText(), s.get("value").asDouble()));
        JsonNode losses = answer.value().get("losses");
        assertThat(losses).anySatisfy(row -> assertThat(row.get(0).asText()).endsWith("rx_prio3_discards"));
        losses.forEach(row ->
                assertThat(all).containsEntry(row.get(0).asText(), row.get(1).asDouble()));
        double ps = stats.get("simulated_ps").asDouble();
        assertThat(answer.value().get("links")).isNotEmpty();
        for (JsonNode row : answer.value().get("links")) {
            assertThat(all).containsEntry(row.get(0).asText(), row.get(1).asDouble());
            assertThat(row.get(2).asDouble()).isCloseTo(8000 * row.get(1).asDouble() / ps, within(1e-9));
        }
    }

    @Test
    void nothingLiesBesideANarrowWindow() throws Exception {
        Browser.assertFits(out.resolve("report.html"));
    }
}

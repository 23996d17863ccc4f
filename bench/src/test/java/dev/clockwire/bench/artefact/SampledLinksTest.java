package dev.clockwire.bench.artefact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.bench.csv.CsvFile;
import dev.clockwire.sim.stats.StatRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Shares of a line of 8 Gb/s, which carries a byte in a ns. */
class SampledLinksTest {
    private static final long NS = 1000;

    private long wire;
    private long payload;
    private long sent;

    private SampledLinks links() {
        StatRegistry stats = new StatRegistry();
        stats.reading("h.up.line_kbps", "kbit/s", "", () -> 8_000_000);
        stats.reading("h.up.wire_bytes", "B", "", () -> wire);
        stats.reading("h.up.data_bytes", "B", "", () -> payload);
        stats.reading("h.nic.np_cnp_sent", "packets", "", () -> sent);
        return new SampledLinks(new LinkSeries(stats, List.of()), 100 * NS);
    }

    @Test
    void aLineIsToldUntilItIsIdleAgain() {
        SampledLinks links = links();
        links.look(0);
        links.look(100 * NS);
        wire = 60;
        payload = 50;
        sent = 3;
        links.look(200 * NS);
        links.look(300 * NS);
        links.look(400 * NS);
        assertThat(links.csv().lines())
                .containsExactly(
                        "time_us,object,metric,value",
                        "0.100,h.up,payload_percent,0.00000",
                        "0.100,h.up,overhead_percent,0.00000",
                        "0.100,h.nic,cnps_sent,0.00000",
                        "0.200,h.up,payload_percent,50.0000",
                        "0.200,h.up,overhead_percent,10.0000",
                        "0.200,h.nic,cnps_sent,3.00000",
                        "0.300,h.up,payload_percent,0.00000",
                        "0.300,h.up,overhead_percent,0.00000",
                        "0.300,h.nic,cnps_sent,0.00000");
    }

    /** A burst behind a long silence is as sharp as one at the beginning, and is not spread over the silence. */
    @Test
    void aLongSilenceCostsNoLooks() {
        SampledLinks links = links();
        for (int i = 0; i < 3_900; i++) {
            links.look(links.nextPs());
        }
        long burst = links.nextPs();
        wire = 100;
        payload = 100;
        links.look(burst);
        links.look(burst + 100 * NS);
        assertThat(links.csv().lines().filter(row -> row.contains("payload")))
                .containsExactly(
                        String.format(Locale.ROOT, "%.3f,h.up,payload_percent,0.00000", burst / 1e6 - 0.1),
                        String.format(Locale.ROOT, "%.3f,h.up,payload_percent,100.000", burst / 1e6),
                        String.format(Locale.ROOT, "%.3f,h.up,payload_percent,0.00000", burst / 1e6 + 0.1));
    }

    /** However it is thinned out, what is told of a stretch begins where the row before ends. */
    @Test
    void whatBeginsLaterIsLookedAtAsOftenAsAtFirst() {
        SampledLinks links = links();
        long before = 0;
        for (int i = 0; i < 3_000; i++) {
            wire += 7;
            before = links.nextPs();
            links.look(before);
        }
        assertThat(links.nextPs()).isGreaterThan(before + 100 * NS);
        links.links().load("load", () -> wire / 7, () -> wire, () -> 3);
        links.look(before + 10);
        assertThat(links.nextPs()).isEqualTo(before + 10 + 100 * NS);
        wire += 100;
        links.look(links.nextPs());
        links.finish(links.nextPs() - 50 * NS);
        assertThat(links.csv()
                        .lines()
                        .filter(row -> row.contains(",load,"))
                        .map(row -> row.substring(row.indexOf(','))))
                .endsWith(",load,goodput_gbps,0.00000", ",load,kops,0.00000", ",load,outstanding,3.00000");
        assertThat(links.csv()).contains(",load,goodput_gbps,8.00000");
    }

    /** However often it was looked, the bytes of all stretches are those of the line. */
    @Test
    void aLongRunIsLookedAtLessOftenAndNothingIsLost() throws IOException {
        SampledLinks links = links();
        long now = 0;
        for (int i = 0; i < 5_000; i++) {
            links.look(now);
            links.look(now + 1); // not due
            now = links.nextPs();
            wire += 10 + i % 7;
            payload += i % 7;
        }
        links.look(now);
        CsvFile csv = CsvFile.parse("x", links.csv(), Set.of(), Set.of());
        double before = 0;
        double bytes = 0;
        for (int i = 0; i < csv.size(); i++) {
            double at = Double.parseDouble(csv.text(i, "time_us"));
            if (csv.text(i, "metric").equals(LinkSeries.PAYLOAD)) {
                bytes += Double.parseDouble(csv.text(i, "value")) / 100 * (at - before) * 1000;
                before = at;
            }
        }
        assertThat(csv.size()).isBetween(SampledLinks.MOST / 2, 2 * SampledLinks.MOST);
        assertThat(before).isEqualTo(now / 1e6);
        assertThat(bytes).isCloseTo((double) payload, within(payload * 1e-4));
    }
}

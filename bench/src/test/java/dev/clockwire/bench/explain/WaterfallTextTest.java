package dev.clockwire.bench.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.trace.Waterfall;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaterfallTextTest {
    private static List<String> draw(StageReport... stages) {
        List<String> lines = new ArrayList<>();
        WaterfallText.print(List.of(stages), lines::add);
        return lines;
    }

    private static String bar(String line) {
        return line.substring(line.indexOf('▕') + 1, line.indexOf('▏', line.indexOf('▕')));
    }

    @Test
    void barsStandOneAfterTheOther() {
        List<String> lines = draw(
                StageReport.of("doorbell", 0, 150_000, 4000, List.of()),
                StageReport.of("payload_dma", 150_000, 300_000, 4000, List.of()),
                StageReport.of("cqe_write", 450_000, 150_000, 4000, List.of()));
        assertThat(lines.get(0))
                .isEqualTo(" doorbell    ▕" + "█".repeat(12) + " ".repeat(36)
                        + "▏     150.00 ns       37.5 cycles  25.0 %");
        assertThat(lines.get(1)).contains("▕" + " ".repeat(12) + "█".repeat(24) + " ".repeat(12) + "▏");
        assertThat(lines.get(2)).contains("▕" + " ".repeat(36) + "█".repeat(12) + "▏");
        assertThat(lines.get(3)).matches(" total +600.00 ns +150.0 cycles");
    }

    @Test
    void everyBarIsAsWideAsTheAxisAndNeverEmpty() {
        List<String> lines = draw(
                StageReport.of("a", 1_000, 1, 4000, List.of()),
                StageReport.of("b", 1_001, 999_998, 4000, List.of()),
                StageReport.of("c", 1_000_999, 1, 4000, List.of()));
        for (String line : lines.subList(0, 3)) {
            String bar = line.substring(line.indexOf('▕') + 1, line.indexOf('▕') + 49);
            assertThat(line.charAt(line.indexOf('▕') + 49)).isEqualTo('▏');
            assertThat(bar.isBlank()).isFalse();
        }
    }

    @Test
    void waitingIsLightAndNamed() {
        String line = draw(StageReport.of("tx_mac", 0, 480_000, 4000, List.of(new Waterfall.Wait("line", 240_000))))
                .get(0);
        assertThat(bar(line)).isEqualTo("░".repeat(24) + "█".repeat(24));
        assertThat(line).endsWith("  waited 240.00 ns for line");
    }

    @Test
    void nothingIsNoPicture() {
        assertThat(draw()).isEmpty();
    }

    @Test
    void aReportIsInNanosecondsAndCycles() {
        StageReport report = StageReport.of("wire", 1_500, 12_670_000, 4000, List.of());
        assertThat(report.startNs()).isEqualTo(1.5);
        assertThat(report.durationNs()).isEqualTo(12_670);
        assertThat(report.cycles()).isEqualTo(3167.5);
    }
}

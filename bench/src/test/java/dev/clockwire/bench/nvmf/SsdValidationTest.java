package dev.clockwire.bench.nvmf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Published figures of SSDs; all of them together take a quarter of a minute, so here are those of one SSD. */
class SsdValidationTest {
    private static String published() throws IOException {
        try (InputStream in = SsdValidation.class.getResourceAsStream("published.csv")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Rows of one SSD stay, the others lose what could be simulated. */
    private static String few() throws IOException {
        return published()
                .lines()
                .filter(l -> l.startsWith("source")
                        || l.contains("P4800X QD1")
                        || l.contains("per drive")
                        || l.contains("P3700")
                        || l.contains("techbytes")
                        || l.contains("Windows"))
                .reduce("", (a, b) -> a + b + "\n");
    }

    @Test
    void rowsAreMetOrHaveAReason() throws IOException {
        List<SsdRow> rows = SsdValidation.parse(few()).run(line -> {}, () -> false);
        assertThat(rows).hasSizeGreaterThan(14);
        assertThat(rows).allMatch(r -> r.hasResult() != (r.unsupported() != null));
        assertThat(rows)
                .allSatisfy(r -> assertThat(new ObjectMapper().valueToTree(r).get("simulated"))
                        .isEqualTo(new ObjectMapper().valueToTree(r.simulated())));
        assertThat(rows.stream().filter(r -> r.setup().contains("per drive")))
                .hasSize(2)
                .allMatch(SsdRow::isOk);
        assertThat(rows.stream()
                        .filter(r -> r.unit().equals("IOPS") && r.setup().startsWith("P4800X")))
                .hasSize(2)
                .allMatch(SsdRow::isOk);
        // tails of real SSDs are longer than units that collide make them
        assertThat(rows.stream().filter(r -> r.setup().equals("P4800X QD16 p99")))
                .noneMatch(SsdRow::isOk);
        assertThat(rows.stream().filter(r -> r.setup().startsWith("P3700")))
                .allMatch(r -> "no-profile".equals(r.unsupported()));
        assertThat(rows.stream().filter(r -> r.source().startsWith("techbytes")))
                .allMatch(r -> "fabric".equals(r.unsupported()));
        assertThat(rows.stream().filter(r -> r.setup().contains("Windows")))
                .allMatch(r -> "host-unknown".equals(r.unsupported()));
    }

    /** Who interrupts a run gets the rows before it, and no figure of a part of it. */
    @Test
    void anInterruptedRowIsNone() throws IOException {
        int[] asked = {0};
        List<SsdRow> rows = SsdValidation.parse(few()).run(line -> {}, () -> ++asked[0] > 20);
        assertThat(rows).noneMatch(SsdRow::hasResult);
        assertThat(rows.size()).isLessThan(14);
    }

    /** Published values do not reach the simulation. */
    @Test
    void valuesAreOnlyComparedWith() throws IOException {
        String only = few().lines()
                .filter(l -> l.startsWith("source") || l.contains("P4800X QD1"))
                .reduce("", (a, b) -> a + b + "\n");
        List<SsdRow> known = SsdValidation.parse(only).run(line -> {}, () -> false);
        List<SsdRow> masked = SsdValidation.parse(only.replaceAll(",[0-9.]+,(IOPS|us)", ",1,$1"))
                .run(line -> {}, () -> false);
        assertThat(masked)
                .extracting(SsdRow::simulated)
                .isEqualTo(known.stream().map(SsdRow::simulated).toList());
        assertThat(masked).filteredOn(SsdRow::hasResult).noneMatch(SsdRow::isOk);
    }

    @ParameterizedTest
    @CsvSource({
        "'Xeon 8380 3.4GHz, 16x P5800X 800GB SPDK 20.10, 512B QD128, 1 core', p5800x, 16, 512, 128, 1",
        "'20x P4800X 512B QD32/dev 1 thread', p4800x, 20, 512, 32, 1",
        "'P4800X 375GB 4KB random read QD1 mean', p4800x, 1, 4096, 1, 1",
        "'PM9A3 U.2 sequential read', pm9a3, 1, 131072, 32, 1",
        "'PM9A3 U.2 vendor random read', pm9a3, 1, 4096, 512, 1"
    })
    void wordsSayWhatWasMeasured(String words, String device, int ssds, int bytes, int depth, int cores) {
        SsdSetup s = SsdSetup.of(words, null);
        assertThat(List.of(s.device(), s.ssds(), s.bytes(), s.depth(), s.cores()))
                .isEqualTo(List.of(device, ssds, bytes, depth, cores));
        SsdSetup same = SsdSetup.of("same 4KiB 4 cores peak", s);
        assertThat(List.of(same.device(), same.ssds(), same.bytes(), same.depth(), same.cores()))
                .isEqualTo(List.of(device, ssds, 4096, depth, 4));
        assertThat(SsdSetup.of("same without delayed SQ doorbell", s).doorbellEach())
                .isTrue();
    }
}

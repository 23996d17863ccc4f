package dev.clockwire.bench.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.bench.validate.ValidationReport.Row;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The built-in set, simulated once. Numbers are those of public logs; targets that are fitted prove nothing and are left out.
 */
class PublishedTest {
    private static List<Row> rows = List.of();

    @BeforeAll
    static void simulate() throws IOException {
        rows = Validation.builtIn().run(line -> {}, () -> false).rows();
    }

    @Test
    void solidRowsOfNamedCardsAreMetClosely() {
        double[] errors = rows.stream()
                .filter(r -> r.counts() && !r.nic().contains("ConnectX-3"))
                .mapToDouble(r -> Math.abs(Objects.requireNonNull(r.errorPct())))
                .sorted()
                .toArray();
        assertThat(errors).hasSizeGreaterThan(40);
        assertThat(errors[errors.length / 2]).isLessThan(5);
        assertThat(errors[(int) (0.9 * (errors.length - 1))]).isLessThan(12);
    }

    @ParameterizedTest
    @CsvSource({
        "B1, ConnectX-3 MT4099, ib_write_bw, 131072, 3665.36, 4",
        "B2, ConnectX-3 MT4099, ib_send_bw, 65536, 3653.23, 4",
        "B3, ConnectX-5 MT4119, ib_write_bw, 65536, 11024.71, 1.5",
        "B4, (100G), ib_write_bw, 1048576, 92.4, 1.5",
        "B5, (100G), ib_write_bw, 4096, 2.81, 2",
        "B5, (100G), ib_write_bw, 2048, 5.583, 2",
        "B6, BlueField, ib_write_bw, 65536, 92.46, 1.5",
        "B8, ConnectX-6 HDR, ib_write_bw, 8388608, 23317.65, 2.5",
        "B12, ConnectX-3 MT4099, ib_read_bw, 4096, 0.9037, 8",
        "P11, DGX Spark, ib_write_bw, 65536, 111.71, 3",
        "A2, ConnectX-4 EDR, ib_send_lat UD, 512, 1.25, 10",
        "A2, ConnectX-4 EDR, ib_send_lat UD, 4096, 2.07, 10",
        "A3, ConnectX-5 MT4119, ib_send_lat, 2, 1.68, 10",
        "A3, ConnectX-5 MT4119, ib_read_lat, 2, 2.69, 10",
        "A4, ConnectX-6 HDR, ib_write_lat, 128, 1.96, 10",
        "A4, ConnectX-6 HDR, ib_write_lat, 1048576, 46.92, 10",
    })
    void derivedTargets(String id, String device, String tool, long size, double published, double percent) {
        assertThat(simulated(device, tool, size)).as(id).isCloseTo(published, Percentage.withPercentage(percent));
    }

    @Test
    void twoQueuePairsFillTheLineAndOneDoesNot() { // B9
        double[] sweep = rows.stream()
                .filter(r -> r.nic().equals("ConnectX-7") && r.tool().equals("ib_write_bw"))
                .mapToDouble(r -> Objects.requireNonNull(r.simulated()))
                .toArray();
        assertThat(sweep).hasSize(2);
        assertThat(sweep[1]).isCloseTo(392, Percentage.withPercentage(1.5)).isLessThan(392.2);
        assertThat(sweep[0]).isLessThan(sweep[1] - 10);
    }

    @Test
    void latencyGrowsAsFastAsTheLineIsSlow() { // L7, L8 and their agreement with the bandwidths
        double hdr = slope("ConnectX-6 HDR", "ib_write_lat", 32768, 1048576);
        assertThat(8 / hdr).isCloseTo(195.3, Percentage.withPercentage(2));
        double stream = simulated("ConnectX-6 HDR", "ib_write_bw", 8388608) * 8 * 1048576 / 1e9;
        assertThat(8 / hdr).isCloseTo(stream, Percentage.withPercentage(1));
        double qdr = slope("ConnectX-3 MT4099", "ib_write_lat", 8192, 524288);
        double stream3 = simulated("ConnectX-3 MT4099", "ib_write_bw", 131072) * 8 * 1048576 / 1e9;
        assertThat(8 / qdr).isCloseTo(stream3, Percentage.withPercentage(1));
        assertThat(slope("ConnectX-4 EDR", "ib_send_lat UD", 512, 4096))
                .isCloseTo(0.229, Percentage.withPercentage(10));
    }

    @Test
    void verbsDifferByWhatTheyDoMore() { // L2, L3
        double write = simulated("ConnectX-5 MT4119", "ib_write_lat", 2);
        assertThat(simulated("ConnectX-5 MT4119", "ib_read_lat", 2) - write)
                .isCloseTo(1.11, Percentage.withPercentage(15));
        assertThat(simulated("ConnectX-5 MT4119", "ib_send_lat", 2) - write).isCloseTo(0.10, within(0.06));
        double old = simulated("ConnectX-3 MT4099", "ib_write_lat", 2);
        assertThat(simulated("ConnectX-3 MT4099", "ib_send_lat", 2) - old).isCloseTo(0.09, within(0.06));
    }

    @Test
    void smallMessagesHaveOneRate() { // flatness of R1 and R2
        double[] cx5 = Arrays.stream(new long[] {2, 64, 256, 1024})
                .mapToDouble(s -> simulated("(100G)", "ib_write_bw", s))
                .toArray();
        assertThat(cx5[0]).isCloseTo(cx5[3], Percentage.withPercentage(1));
        double host = simulated("ConnectX-6 HDR", "ib_write_bw", 2);
        assertThat(simulated("ConnectX-6 HDR", "ib_write_bw", 4096)).isCloseTo(host, Percentage.withPercentage(1));
    }

    /** Returns the first row's result. */
    private static double simulated(String device, String tool, long size) {
        return rows.stream()
                .filter(r -> r.nic().contains(device) && r.tool().equals(tool))
                .filter(r -> r.simulated() != null && Objects.equals(r.size(), size))
                .mapToDouble(r -> Objects.requireNonNull(r.simulated()))
                .findFirst()
                .orElseThrow();
    }

    /** Returns ns per byte between two sizes. */
    private static double slope(String device, String tool, long small, long large) {
        return 1000 * (simulated(device, tool, large) - simulated(device, tool, small)) / (large - small);
    }
}

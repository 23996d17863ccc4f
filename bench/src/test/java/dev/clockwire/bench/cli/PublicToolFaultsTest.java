package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.bench.perftest.LatencyFigures;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.sim.stats.Percentiles;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Public fault 25: what perftest itself got wrong about its figures. */
class PublicToolFaultsTest {
    /**
     * linux-rdma/perftest issue 273: the rate was off by 2. Messages over rate is the time that was asked for, to a latency; nothing of the
     * simulation's own clock is used.
     */
    @ParameterizedTest
    @CsvSource({
        "write-bw -s 64, 0.0005",
        "send-bw -s 4096 -q 2, 0.0004",
        "read-bw -s 64, 0.0005",
        "write-bw -s 64 -l 8, 0.0003"
    })
    void messagesOverRateIsTheDuration(String tool, double seconds) {
        JsonNode d = clockwire(("perftest " + tool + " -D " + seconds + " --exact --json").split(" "))
                .json();
        double messages = d.get("iterations").asDouble() * d.get("qps").asDouble();
        double us = messages / d.get("msg_rate_mpps").asDouble();
        double latency = d.get("latency_us").get("max").asDouble();
        assertThat(us).isBetween(seconds * 1e6 - latency, seconds * 1e6 + latency);
        double size = d.get("size").asDouble();
        assertThat(d.get("bandwidth_gbps").asDouble())
                .isCloseTo(d.get("msg_rate_mpps").asDouble() * size * 8 / 1000, within(1e-9));
    }

    /** linux-rdma/perftest issue 80: no percentiles when the duration decides. They are those of the printed latencies. */
    @Test
    void aRunOfGivenDurationHasExactPercentiles() {
        String line = "perftest read-lat -s 64 -D 0.002 --exact -P pcie.ber=1e-7";
        List<Double> all = new ArrayList<>();
        for (String text : clockwire((line + " -U").split(" ")).text().lines().toList()) {
            if (text.matches("\\d+, [0-9.]+")) {
                all.add(Double.valueOf(text.replaceAll(".*, ", "")));
            }
        }
        JsonNode us = clockwire((line + " --json").split(" ")).json().get("latency_us");
        Collections.sort(all);
        int n = all.size();
        assertThat(n).isGreaterThan(1000);
        assertThat(all.get(n - 1)).isGreaterThan(all.get(0));
        assertThat(us.get("p50").asDouble()).isCloseTo(all.get((n + 1) / 2 - 1), within(6e-4));
        assertThat(us.get("p99").asDouble()).isCloseTo(all.get((99 * n + 99) / 100 - 1), within(6e-4));
        assertThat(us.get("p999").asDouble()).isCloseTo(all.get((999 * n + 999) / 1000 - 1), within(6e-4));
    }

    /** linux-rdma/perftest issue 82: the average was negative, of a sum that had overflowed. */
    @Test
    void nothingOverflows() {
        long hour = 3_600_000_000_000_000L;
        long[] hours = new long[4000]; // 1.4e19 ps together: more than 2^63
        java.util.Arrays.fill(hours, hour);
        LatencyFigures figures = LatencyFigures.of(hours, 1);
        assertThat(figures.avg()).isCloseTo(3.6e9, within(1e-3));
        assertThat(figures.stdev()).isZero();

        Histogram histogram = new Histogram("latency", "ps", "of 10^9 samples and more");
        histogram.record(1_000_000, 999_000_000);
        histogram.record(hour, 1_000_000);
        histogram.record(1_000_000, 4_000_000_000L);
        assertThat(histogram.count()).isEqualTo(5_000_000_000L);
        assertThat(histogram.mean()).isCloseTo((4.999e9 * 1e6 + 1e6 * (double) hour) / 5e9, within(hour / 1e9));
        assertThat(histogram.percentile(99.9)).isBetween(1_000_000L, 1_001_000L);
        assertThat(histogram.percentile(99.99)).isGreaterThan(hour / 1000 * 999);
        assertThat(Percentiles.rank(99.9, 1_000_000_000)).isEqualTo(999_000_000);
        assertThat(Percentiles.rank(99.9, 1_000_000_000_000L)).isEqualTo(999_000_000_000L);
    }
}

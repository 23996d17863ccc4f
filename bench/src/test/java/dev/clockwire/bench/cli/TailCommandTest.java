package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TailCommandTest {
    private static JsonNode tail(String line) {
        return clockwire((line + " --tail --json").split(" ")).json();
    }

    static JsonNode row(JsonNode document, String name) {
        for (JsonNode row : document.get("tail").get("rows")) {
            if (row.get("name").asText().equals(name)) {
                return row;
            }
        }
        throw new AssertionError("no row " + name);
    }

    private static double sum(JsonNode list) {
        double sum = 0;
        for (JsonNode entry : list) {
            sum += entry.get("excess_ns").asDouble();
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "explain write -s 3000 -n 40",
                "explain read -s 9000 -m 1024 -n 25",
                "perftest write-bw -s 64 -q 8 -t 1 -n 100 --profile article-1",
                "perftest send-bw -s 9000 -q 2 -t 8 -n 60 --cq-mod 4",
                "perftest write-lat -s 64 -n 50",
                "perftest send-lat -s 5000 -n 50 --event",
                "perftest read-lat -s 64 -n 30"
            })
    void partsAndCausesAddUpToTheExcess(String line) {
        JsonNode d = tail(line);
        double median = d.get("tail").get("median_ns").asDouble();
        assertThat(d.get("tail").get("operations").asInt()).isGreaterThanOrEqualTo(25);
        for (JsonNode row : d.get("tail").get("rows")) {
            double excess = row.get("excess_ns").asDouble();
            assertThat(row.get("latency_ns").asDouble()).isCloseTo(median + excess, within(1e-6));
            assertThat(row.get("sum_ns").asDouble()).isEqualTo(excess);
            assertThat(sum(row.get("parts"))).isCloseTo(excess, within(1e-6));
            assertThat(sum(row.get("causes"))).isCloseTo(excess, within(1e-6));
        }
        if (line.startsWith("perftest")) {
            JsonNode us = d.get("latency_us");
            assertThat(median / 1000).isCloseTo(us.get("p50").asDouble(), within(1e-4));
            assertThat(row(d, "p99").get("latency_ns").asDouble() / 1000)
                    .isCloseTo(us.get("p99").asDouble(), within(1e-4));
            assertThat(row(d, "max").get("latency_ns").asDouble() / 1000)
                    .isCloseTo(us.get("max").asDouble(), within(1e-4));
        } else {
            assertThat(row(d, "max").get("latency_ns").asDouble())
                    .isEqualTo(d.get("total_ns").asDouble());
        }
    }

    /** Asking for the tail must not change what is measured. */
    @Test
    void theRunItselfIsTheSame() {
        String line = "perftest write-bw -s 4096 -q 4 -t 2 -n 50";
        JsonNode plain = clockwire((line + " --json").split(" ")).json();
        JsonNode explained = tail(line);
        assertThat(explained.get("trace_hash")).isEqualTo(plain.get("trace_hash"));
        assertThat(explained.get("latency_us")).isEqualTo(plain.get("latency_us"));
        assertThat(plain.has("tail")).isFalse();
    }

    @Test
    void theTextShowsTheSum() {
        assertThat(clockwire("explain", "write", "--tail", "-n", "7").text())
                .contains("the slowest of 7 simulated", "Tail: 7 operations", "max", "sum");
        assertThat(clockwire("perftest", "write-bw", "-q", "4", "-t", "1", "-n", "30", "--tail")
                        .text())
                .contains("Tail: 120 operations");
    }

    @Test
    void theSoftwareDeviceHasNoStages() {
        clockwire("perftest", "write-lat", "-n", "5", "--provider", "soft", "--tail")
                .failsWith(3, "tail", "hardware");
    }

    @Test
    void whereNoneIsSlowNothingIsExplained() {
        assertThat(clockwire("explain", "write", "-s", "64", "-n", "200", "--tail")
                        .text())
                .contains("None: the slowest took as long.", "cq_record: its completion queue has one entry")
                .doesNotContain("sum ", "1 PCIe reads");
    }

    /** Without registrations the program is busy with the posts of the same list. */
    @Test
    void aListIsPostedInOneGo() {
        assertThat(clockwire("perftest write-bw -s 4096 -l 16 -n 500".split(" "))
                        .text())
                .contains("ns for the rest of its list")
                .doesNotContain("registration");
        assertThat(clockwire("perftest read-lat -s 4096 -n 20 --register-each".split(" "))
                        .text())
                .contains("ns for the registration");
    }
}

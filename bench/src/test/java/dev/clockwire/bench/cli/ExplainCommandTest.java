package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainCommandTest {
    private static JsonNode explain(String line) {
        return clockwire(("explain " + line + " --json").split(" ")).json();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "write -s 65536", "write -s 9000 -m 1024", "write -s 4096 -c UC", "write -s 20000 -c UC", "read -s 64",
                "read -s 65536", "send -s 300", "send -s 64 -c UD", "atomic", "write -s 65536 --profile article-1",
                "write -s 64 -I 64", "write -s 64 --ipv6", "read -s 9000 --tail -n 20", "send -s 0", "write -s 0 -c UC"
            })
    void stagesAreContiguousAndAddUp(String line) {
        JsonNode d = explain(line);
        double at = 0;
        for (JsonNode stage : d.get("stages")) {
            assertThat(stage.get("start_ns").asDouble()).isCloseTo(at, within(1e-6));
            assertThat(stage.get("duration_ns").asDouble()).isNotNegative();
            assertThat(stage.get("wait_ns").asDouble())
                    .isBetween(0.0, stage.get("duration_ns").asDouble());
            at += stage.get("duration_ns").asDouble();
        }
        assertThat(at).isCloseTo(d.get("total_ns").asDouble(), within(1e-6));
        assertThat(d.get("total_cycles").asDouble()).isCloseTo(at / 4, within(1e-3));
        assertThat(d.get("stages").findValuesAsText("name"))
                .startsWith("post", "doorbell")
                .endsWith("poll");
    }

    @ParameterizedTest
    @CsvSource({
        "write -s 9000 -m 4096, RC_RDMA_WRITE_FIRST RC_RDMA_WRITE_MIDDLE RC_RDMA_WRITE_LAST RC_ACKNOWLEDGE",
        "read -s 64, RC_RDMA_READ_REQUEST RC_RDMA_READ_RESPONSE_ONLY",
        "atomic, RC_FETCH_ADD RC_ATOMIC_ACKNOWLEDGE",
        "send -s 64 -c UD, UD_SEND_ONLY"
    })
    void theFramesOfTheOperationAreListed(String line, String opcodes) {
        JsonNode wire = explain(line).get("wire");
        assertThat(String.join(" ", wire.findValuesAsText("opcode"))).isEqualTo(opcodes);
        assertThat(wire.get(0).get("frame").asInt()).isEqualTo(1);
        assertThat(wire.get(0).get("psn").asText()).matches("0x[0-9a-f]{6}");
        assertThat(wire.get(0).get("bytes").asInt()).isGreaterThanOrEqualTo(60);
    }

    /** 16 reads of 4 KB, one at a time: round trip 608.6 ns and 141.4 ns on the link each. */
    @Test
    void theFirstArticlesPayloadTakesSixteenRoundTrips() {
        for (JsonNode stage : explain("write -s 65536 --profile article-1").get("stages")) {
            if (stage.get("name").asText().equals("payload_dma")) {
                assertThat(stage.get("duration_ns").asDouble()).isCloseTo(12_000, within(4.0));
            }
        }
    }

    @Test
    void theTextShowsAPictureAndSaysWhatTheCompletionWaitsFor() {
        assertThat(clockwire("explain", "write", "-s", "65536").text())
                .startsWith("write of 65536 B over RC, profile cx7-400g: ")
                .contains("no hardware was measured", "█", "RC: the CQE waits for the ACK", "RC_RDMA_WRITE_FIRST");
        assertThat(clockwire("explain", "write", "-s", "4096", "-c", "UC").text())
                .contains("UC: the CQE is written as soon as the last packet has begun to leave");
        assertThat(clockwire("explain", "read", "-s", "262144").text())
                .contains("The CQE waits for the response.", "... and 45 more");
    }

    @ParameterizedTest
    @CsvSource({
        "write -s 65536 --profile article-1, '16 PCIe reads of up to 4096 B, 1 outstanding'",
        "write -s 9000 -m 1024 --profile article-1, '9 PCIe reads of up to 1024 B'",
        "send -s 4100, '9 PCIe reads of up to 512 B, 36 outstanding'"
    })
    void theTextCountsTheReadsOfThePayload(String line, String text) {
        assertThat(clockwire(("explain " + line).split(" ")).text()).contains(text);
    }

    @Test
    void theTailIsTheSlowestOfARun() {
        JsonNode tail = explain("write -s 128 -I 220 --tail -n 30");
        assertThat(tail.get("total_ns").asDouble())
                .isGreaterThanOrEqualTo(
                        explain("write -s 128 -I 220").get("total_ns").asDouble());
        assertThat(clockwire("explain", "write", "--tail", "-n", "7").text()).contains("the slowest of 7 simulated");
    }

    @Test
    void mistakesAreNamed() {
        clockwire("explain", "wriet").failsWith(2, "wriet", "write");
        clockwire("explain", "write", "-s", "-5").failsWith(2, "-5");
        clockwire("explain", "write", "-s", "64x").failsWith(2, "-s 64x: expected a whole number such as 4096 or 4k");
        clockwire("explain", "write", "-s", "2G").failsWith(2, "-s 2G is outside its range 0 to 1073741824");
        clockwire("explain", "read", "-c", "UC").failsWith(2, "needs RC");
        clockwire("explain", "write", "-n", "5").failsWith(2, "--tail");
        clockwire("explain", "write", "--profile", "article1").failsWith(3, "article-1");
    }

    @Test
    void whatLiesInTheDeviceNeedsNoPayloadDma() {
        for (String op : new String[] {"write", "send"}) {
            JsonNode host = clockwire("explain", op, "-s", "9000", "--json").json();
            JsonNode device = clockwire("explain", op, "-s", "9000", "--device-memory", "--json")
                    .json();
            assertThat(host.get("stages").findValuesAsText("name")).contains("payload_dma");
            assertThat(device.get("stages").findValuesAsText("name"))
                    .doesNotContain("payload_dma", "unaccounted")
                    .contains("assembly");
            assertThat(device.get("total_ns").asDouble())
                    .isLessThan(host.get("total_ns").asDouble() - 300);
        }
        clockwire("explain", "read", "--device-memory").failsWith(2, "--device-memory");
        clockwire("explain", "write", "-s", "200000", "--device-memory").failsWith(3, "alloc_dm");
    }
}

package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of the real tools, shares of queue pairs and moderation of completion queues on the command line. */
class TuningTest {
    private static final String RUN = "perftest write-bw -q 2 -s 4096 -n 500 --json";

    @TempDir
    Path folder = Path.of("");

    private static CommandRunner run(String line) {
        return clockwire(line.split(" "));
    }

    private static JsonNode json(String line) {
        return run(line).json();
    }

    @Test
    void theRealToolsAreKnownByTheirNames() {
        JsonNode real =
                json("perftest ib_write_bw -d mlx5_0 -x 3 -F --report_gbits --qp 2 --size 4096 --iters 500 --json");

        assertThat(real.get("trace_hash")).isEqualTo(json(RUN).get("trace_hash"));
        assertThat(json("perftest /usr/bin/ib_send_lat -n 5 --json").get("tool").asText())
                .isEqualTo("send-lat");
        run("perftest ib_write_wb").failsWith(2, "unknown tool 'ib_write_wb'; did you mean write-bw?");
    }

    /** The queue pair with the larger weight goes ahead of the other, whose messages wait longer; the rate of both is the line's. */
    @Test
    void aSmallWeightWaits() {
        String busy = "perftest write-bw -q 2 -s 8192 -n 300 --json -P nic.sched.policy=";
        JsonNode even = json(busy + "wrr --tx_weight 3,3");
        JsonNode uneven = json(busy + "wrr --tx_weight 1,8");
        JsonNode strict = json(busy + "strict --tx_priority 0,7");

        assertThat(uneven.at("/latency_us/p99").asDouble())
                .isGreaterThan(1.4 * even.at("/latency_us/p99").asDouble());
        assertThat(uneven.at("/latency_us/p50").asDouble())
                .isLessThan(0.8 * even.at("/latency_us/p50").asDouble());
        assertThat(strict.get("trace_hash")).isNotEqualTo(uneven.get("trace_hash"));
        assertThat(uneven.get("bandwidth_gbps")).isEqualTo(even.get("bandwidth_gbps"));
        assertThat(uneven.get("content_hash")).isEqualTo(even.get("content_hash"));
    }

    /** 16 completions of one signalled message each make one interrupt; the last, fewer, wait for the period. */
    @Test
    void moderatedEventsAreFewer() {
        String events = "perftest send-lat -n 20 --json -e";
        double eager = json(events).at("/latency_us/p50").asDouble();
        double lazy = json(events + " --cq_count 16 --cq_period 50")
                .at("/latency_us/p50")
                .asDouble();

        assertThat(lazy - eager)
                .isBetween(50.0, 150.0); // an own completion and a message wait for each half of the way
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "write-bw --tx_weight 3 | --tx_weight needs -P nic.sched.policy=wrr; it is rr",
                "write-bw --tx_priority 8 -P nic.sched.policy=strict | --tx_priority 8 is outside its range 0 to 7",
                "write-bw --tx_weight 1;2 -P nic.sched.policy=wrr | --tx_weight 1;2: expected whole numbers",
                "write-bw --tx_weight 2 -P nic.sched.policy=wrr --provider soft | --tx_weight: --provider hw only",
                "send-bw -e --cq_count 4 | --cq_count 4 needs --cq_period US",
                "send-bw -e --cq_period 65536 | --cq_period 65536 is outside its range 0 to 65535"
            })
    void whatCannotBeIsRefused(String line, String words) {
        run("perftest " + line).failsWith(2, words);
    }

    @Test
    void theCommandInTheFilesHasThem() throws IOException {
        Path out = folder.resolve("out");
        run(RUN.replace(" --json", "") + " -e --cq_count 2 --cq_period 9 -P nic.sched.policy=wrr --tx_weight 1,2 --out "
                        + out)
                .text();

        assertThat(Files.readString(out.resolve("stats.json"))).contains(" --tx_weight 1,2 --cq_count 2 --cq_period 9");
    }
}

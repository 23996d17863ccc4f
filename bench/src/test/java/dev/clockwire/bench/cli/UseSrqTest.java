package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code perftest --use-srq}: receives of all queue pairs together. */
class UseSrqTest {
    private static final String TOOL = "perftest send-bw -s 4096 -n 60 -q 8 --event --counters --provider ";

    private static long starved(String command) {
        JsonNode document = clockwire((command + " --json").split(" ")).json();
        assertThat(document.get("iterations").asLong()).isEqualTo(60);
        return document.findValues("out_of_buffer").stream()
                .mapToLong(JsonNode::asLong)
                .sum();
    }

    /** As many receives as are plenty for each queue pair alone are too few for eight together; all messages arrive in either case. */
    @ParameterizedTest
    @ValueSource(strings = {"hw", "soft"})
    void receivesAreOfAllQueuePairsTogether(String provider) {
        assertThat(starved(TOOL + provider + " -r 60 -c RC")).isZero();
        assertThat(starved(TOOL + provider + " -r 8 --use-srq")).isPositive();
        assertThat(starved(TOOL + provider + " -r 480 --use-srq")).isZero();
    }

    @Test
    void theHeaderSaysSo() {
        String latency = "perftest send-lat -n 20 -r 4";
        assertThat(clockwire((latency + " --use-srq").split(" ")).text()).contains("Using SRQ      : ON");
        assertThat(clockwire(latency.split(" ")).text()).contains("Using SRQ      : OFF");
        assertThat(clockwire("perftest write-bw -s 64 -n 5 --use-srq".split(" "))
                        .notes())
                .contains("--use-srq has no effect: only SENDs take receives");
    }
}

package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** An open loop whose program sleeps until an event comes: it sleeps as that of the closed loop does. */
class PacedEventsTest {
    private static JsonNode run(String options) {
        return clockwire(("perftest write-bw -s 4096 -n 100 --cq-mod 1 --json " + options).split(" "))
                .json(0);
    }

    private static double latency(JsonNode run, String which) {
        return run.get("latency_us").get(which).asDouble();
    }

    /** Alone on its way each message takes what the first of the closed loop takes, the interrupt included, not what polling finds. */
    @Test
    void aMessageAloneTakesAsLongAsInTheClosedLoop() {
        JsonNode closed = run("-t 1 --event");
        JsonNode paced = run("--rate 100000 --event");
        JsonNode polled = run("--rate 100000");
        assertThat(latency(paced, "p50")).isEqualTo(latency(closed, "min"));
        assertThat(latency(paced, "max")).isEqualTo(latency(paced, "min"));
        assertThat(latency(paced, "p50")).isGreaterThan(latency(polled, "p50") + 1);
        assertThat(paced.get("msg_rate_mpps").asDouble()).isCloseTo(0.1, within(0.002));
    }

    /** Beyond what one message at a time can do both are the same run. */
    @Test
    void aRateThatIsNotReachedIsTheClosedLoop() {
        JsonNode closed = run("-t 1 --event");
        JsonNode paced = run("-t 1 --event --rate 1000000");
        assertThat(paced.get("latency_us")).isEqualTo(closed.get("latency_us"));
        assertThat(paced.get("msg_rate_mpps")).isEqualTo(closed.get("msg_rate_mpps"));
    }

    /** Nothing is simulated while the program sleeps: a hundred times longer between messages costs no more. */
    @Test
    void sleepingCostsNothing() {
        long often = run("--rate 100000 --event").get("events").asLong();
        long seldom = run("--rate 1000 --event").get("events").asLong();
        assertThat(seldom).isLessThan(often + often / 10);
    }
}

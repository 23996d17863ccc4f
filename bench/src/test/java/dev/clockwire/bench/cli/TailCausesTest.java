package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each cause of a tail has a switch: with it, the slow operations name the cause; without it, its share is gone and the tail is shorter. */
class TailCausesTest {
    private static final String DIRECT = "-P nic.cache.qpc_ways=1 -P nic.cache.mtt_ways=1 ";

    private static JsonNode slow(String line) {
        return TailCommandTest.row(
                clockwire((line + " --tail --json").split(" ")).json(), "max");
    }

    private static double share(JsonNode row, String cause) {
        for (JsonNode c : row.get("causes")) {
            if (c.get("cause").asText().equals(cause)) {
                return c.get("excess_ns").asDouble();
            }
        }
        return 0;
    }

    @ParameterizedTest
    @CsvSource({
        "qpc_miss, write-bw -s 64 -q 17 -t 1 -n 40 --cq-mod 1, nic.cache.qpc_entries=16, nic.cache.qpc_entries=0, 300",
        "mtt_miss, read-lat -s 512 -n 200, nic.cache.mtt_entries=4, nic.cache.mtt_entries=0, 300",
        "pcie_replay, read-lat -s 4096 -n 400, pcie.ber=1e-7, pcie.ber=0, 100",
        "fetch_queue, write-bw -s 64 -q 8 --rate 625000 -n 600 --cq-mod 1 --together 0.01 --profile article-1, "
                + "nic.wqe.outstanding_fetches=1, nic.wqe.outstanding_fetches=8, 300"
    })
    void aCauseThatIsSwitchedOffTakesItsShareAlong(String cause, String run, String on, String off, double least) {
        String line = "perftest " + run + " " + (run.contains("article") ? "" : DIRECT) + "-P ";
        JsonNode with = slow(line + on);
        JsonNode without = slow(line + off);
        assertThat(share(with, cause)).isGreaterThan(least);
        assertThat(share(without, cause)).isLessThan(least / 10);
        assertThat(without.get("excess_ns").asDouble())
                .isLessThan(with.get("excess_ns").asDouble() - least / 2);
    }
}

package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A cause stands only in stages that waited for it, however long others waited at the same time. */
class CauseStagesTest {
    private static JsonNode run(String line) {
        return clockwire((line + " --json").split(" ")).json();
    }

    /** The stages with some waiting for a cause, and how much, in ns. */
    private static Map<String, Double> waits(JsonNode run, String cause) {
        Map<String, Double> found = new TreeMap<>();
        for (JsonNode stage : run.get("stages")) {
            for (JsonNode wait : stage.get("waits")) {
                if (wait.get("cause").asText().equals(cause)) {
                    found.put(stage.get("name").asText(), wait.get("ns").asDouble());
                }
            }
        }
        return found;
    }

    private static double sum(Map<String, Double> waits) {
        return waits.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Stages in which nothing crosses a PCIe link know no replay; those behind a replayed one do not inherit it. */
    @Test
    void onlyWhatCrossesTheLinkIsReplayed() {
        JsonNode crowd = run("perftest write-bw -n 50 -P pcie.ber=1e-4");
        assertThat(waits(crowd, "pcie_replay")).containsKey("doorbell");
        assertThat(waits(crowd, "pcie_replay").keySet()).isSubsetOf("doorbell", "payload_dma", "cqe_write");
        JsonNode one = run("explain write -s 65536 -P pcie.ber=1e-5");
        double excess = one.get("total_ns").asDouble()
                - run("explain write -s 65536").get("total_ns").asDouble();
        assertThat(waits(one, "pcie_replay").keySet()).containsExactly("payload_dma");
        assertThat(sum(waits(one, "pcie_replay")))
                .as("not what was replayed beside the reads that counted")
                .isBetween(0.9 * excess, 1.05 * excess);
    }

    /** Where messages wait for those in front of them, what those have waited for is told of all. */
    @Test
    void behindOthersTheCauseIsTheQueueAndTheRootIsTold() {
        String line = "perftest write-bw -n 50 --tail -P pcie.ber=";
        JsonNode tail = run(line + "1e-4").get("tail");
        assertThat(tail.get("rows").get(2).get("causes").get(0).get("cause").asText())
                .isIn("the send queue", "outstanding reads");
        assertThat(tail.get("lost_by_each").get(0).get("cause").asText()).isEqualTo("pcie_replay");
        for (JsonNode part : tail.get("rows").get(2).get("parts")) {
            if (part.get("stage").asText().equals("doorbell")) {
                assertThat(part.get("excess_ns").asDouble())
                        .as("a doorbell stands behind several repetitions, not the last one only: " + part)
                        .isBetween(-200.0, 200.0);
            }
        }
        assertThat(tail.get("lost_by_each").get(0).get("ns").asDouble()).isGreaterThan(1000);
        for (JsonNode loss : run(line + "0").get("tail").get("lost_by_each")) {
            assertThat(loss.get("cause").asText()).isNotEqualTo("pcie_replay");
        }
        assertThat(clockwire((line + "1e-4").split(" ")).text()).contains("lost on average, wherever: pcie_replay");
    }

    /** The walks of the receiver's writes are not the sender's time. */
    @Test
    void onlyWhatIsTranslatedMissesTranslations() {
        String line = "explain send -s 65536 --tail -n 100 -P pcie.ats=true -P host.iommu.enabled=true";
        JsonNode slow = run(line);
        Map<String, Double> misses = waits(slow, "iotlb_miss");
        assertThat(misses.keySet()).containsExactly("cqe_write", "payload_dma");
        double clean = 0;
        double with = 0;
        for (JsonNode stage : run("explain send -s 65536").get("stages")) {
            clean += stage.get("name").asText().equals("cqe_write")
                    ? stage.get("duration_ns").asDouble()
                    : 0;
        }
        for (JsonNode stage : slow.get("stages")) {
            with += stage.get("name").asText().equals("cqe_write")
                    ? stage.get("duration_ns").asDouble()
                    : 0;
        }
        assertThat(misses.get("cqe_write"))
                .as("the walk, and the way to the host and back")
                .isCloseTo(with - clean, within(1.0));
    }

    /** The second operation at depth 1 finds its completion queue full of the first. */
    @ParameterizedTest
    @CsvSource({"read-lat -s 64, read", "atomic-lat, atomic", "write-bw -s 64 -t 1, write"})
    void whatPerftestTakesLongerThanExplainIsTheRecordOfTheQueue(String tool, String operation) {
        String size = operation.equals("atomic") ? "" : " -s 64";
        JsonNode stream = run("perftest " + tool + " -n 30");
        JsonNode one = run("explain " + operation + size);
        Map<String, Double> record = waits(stream, "cq_record");
        assertThat(record.keySet()).containsExactly("completion");
        assertThat(waits(one, "cq_record")).isEmpty();
        assertThat(stream.get("latency_us").get("p50").asDouble() * 1000
                        - one.get("total_ns").asDouble())
                .as("but for the phase of the clock and of the polls")
                .isCloseTo(record.get("completion"), within(10.0));
        assertThat(clockwire(("explain " + operation + size).split(" ")).text()).contains("cq_record");
    }

    /** A queue pair without tokens holds up all that stands in its queue, not only the message whose turn it is. */
    @Test
    void aPacedQueueHoldsUpWhatWaitsInIt() {
        JsonNode paced = run("perftest write-bw -s 4096 -n 300 --rate_limit 50 --tail");
        Map<String, Double> rate = waits(paced, "rate");
        assertThat(rate.keySet()).containsExactly("payload_dma", "sq_wait");
        double latency = paced.get("latency_us").get("p50").asDouble() * 1000;
        assertThat(sum(rate)).isBetween(0.9 * latency, latency);
        JsonNode max = TailCommandTest.row(paced, "max");
        assertThat(max.get("causes").get(0).get("cause").asText()).isEqualTo("rate");
        assertThat(max.get("causes").get(0).get("excess_ns").asDouble())
                .isGreaterThan(0.9 * max.get("excess_ns").asDouble());
        JsonNode free = run("perftest write-bw -s 4096 -n 300 --tail");
        assertThat(waits(free, "rate")).isEmpty();
    }

    /** One message of 16 packets, of which the bucket holds one: each waits for the tokens of 4 KiB and headers. */
    @Test
    void explainPacesToo() {
        String line = "explain write -s 65536 --tail -n 20";
        JsonNode paced = run(line + " --rate_limit 50 --burst_size 1");
        double more =
                paced.get("total_ns").asDouble() - run(line).get("total_ns").asDouble();
        assertThat(waits(paced, "rate").keySet()).containsExactly("payload_dma");
        assertThat(sum(waits(paced, "rate"))).isBetween(more, 1.2 * more);
        clockwire("explain", "read", "--rate_limit", "5").failsWith(2, "--rate_limit", "SEND and WRITE");
    }

    /** Who waits for the peer's program looks at the peer's polls; work requests that are retired have none of their own. */
    @ParameterizedTest
    @ValueSource(strings = {"write-lat", "send-lat"})
    void thePollIsThePeers(String tool) {
        for (String connection : new String[] {"RC", "UC"}) {
            JsonNode stages =
                    run("perftest " + tool + " -s 64 -n 60 -c " + connection).get("stages");
            JsonNode poll = stages.get(stages.size() - 1);
            assertThat(poll.get("name").asText()).isEqualTo("poll");
            assertThat(poll.get("wait_for").asText()).isEqualTo("the next poll");
            assertThat(poll.get("wait_ns").asDouble())
                    .isLessThan(poll.get("duration_ns").asDouble() - 19);
        }
        JsonNode retired = run("perftest write-bw -c UC -s 64 -n 60").get("stages");
        assertThat(retired.get(retired.size() - 1).get("name").asText()).isEqualTo("completion");
    }

    /** A hit behind a miss leaves when that does. */
    @Test
    void aContextThatIsThereWaitsBehindOneThatIsNot() {
        JsonNode run = run("perftest write-bw -s 64 -q 17 -t 1 -n 40 --cq-mod 1 -P nic.cache.qpc_entries=16");
        assertThat(waits(run, "qpc_miss").keySet()).containsExactly("lookup");
        double lookup = run.get("stages").get(2).get("duration_ns").asDouble();
        assertThat(lookup - waits(run, "qpc_miss").getOrDefault("lookup", 0.0))
                .as("the lookup's own time")
                .isBetween(30.0, 48.0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "perftest write-bw -s 64 -q 17 -t 1 -n 40 --cq-mod 1 -P nic.cache.qpc_entries=16",
                "perftest write-bw -s 64 -q 64 -t 4 -n 20 -P nic.cache.qpc_entries=4 -P nic.cache.qpc_ways=4",
                "perftest send-bw -s 9000 -q 3 -t 8 -n 60 -P pcie.ber=1e-6",
                "perftest read-bw -s 9000 -q 2 -n 60 -P host.iommu.enabled=true",
                "perftest atomic-bw -q 4 -n 60",
                "perftest send-bw -c UC -s 64 -n 60",
                "perftest write-lat -s 64 -n 60"
            })
    void everyWaitHasACause(String line) {
        for (JsonNode row : run(line + " --tail").get("tail").get("rows")) {
            for (JsonNode part : row.get("parts")) {
                assertThat(part.get("cause").asText())
                        .as(part.toString())
                        .isNotEqualTo("unknown")
                        .isNotEmpty();
            }
        }
    }
}

package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each cause of a tail has a switch: with it, the slow operations name the cause; without it, its share is gone and the tail is shorter. */
class TailCausesTest {
    private static final String DIRECT = "-P nic.cache.qpc_ways=1 -P nic.cache.mtt_ways=1 ";

    /** What is set besides may have no effect while a cause is off, which the command says. */
    private static JsonNode slow(String line) {
        return TailCommandTest.row(
                clockwire((line + " --tail --json").split(" ")).document(), "max");
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
        "host_stall, write-bw -s 64 --rate 78125 -n 600 --cq-mod 1 --profile article-1 -P host.stall.period_ns=12800"
                + " -P host.stall.duration_ns=1000 -P host.stall.begins=access, -P host.stall.probability=0.009, "
                + "-P host.stall.probability=0, 900",
        "iotlb_miss, read-lat -s 4096 -n 300 -P host.iommu.iotlb_entries=4, -P host.iommu.enabled=true, "
                + "-P host.iommu.enabled=false, 300",
        "moderation, write-bw -s 64 -n 300 --event -t 8 --cq-mod 1, -P nic.int.moderation=true, "
                + "-P nic.int.moderation=false, 850", // 1.024 us less the way of the entry, during which it waits for
        // nothing
        "rate, write-bw -s 4096 -t 1 -n 60 --cq-mod 1, --rate_limit 5 --burst_size 40, '', 1000",
        "rnr, send-bw -s 64 -n 200 --event -t 16, -r 4, -r 256, 100000",
        "qpc_miss, write-bw -s 64 -q 17 -t 1 -n 40 --cq-mod 1, -P nic.cache.qpc_entries=16, -P"
                + " nic.cache.qpc_entries=0, 280", // the median one stands behind a miss of another for 96 ns
        "mtt_miss, read-lat -s 512 -n 200, -P nic.cache.mtt_entries=4, -P nic.cache.mtt_entries=0, 300",
        "pcie_replay, read-lat -s 4096 -n 400, -P pcie.ber=1e-7, -P pcie.ber=0, 100",
        "preemption, write-lat -s 64 -n 300 -P host.sched.tick_ns=50000 -P host.sched.load=1 -P"
                + " host.sched.slice_ns=10000 -P host.sched.tick_cost_ns=0, -P host.isolcpus=false, -P host.isolcpus=true,"
                + " 4000",
        "preemption, read-lat -s 64 -n 300 -P host.sched.tick_ns=50000 -P host.sched.load=1 -P"
                + " host.sched.slice_ns=10000 -P host.sched.tick_cost_ns=0, -P host.isolcpus=false, -P host.isolcpus=true,"
                + " 4000",
        "interrupt, read-lat -s 64 -n 300 -P host.sched.tick_ns=60000 -P host.sched.load=0, -P host.isolcpus=false, "
                + "-P host.isolcpus=true, 2000",
        "fetch_queue, write-bw -s 64 -q 8 --rate 625000 -n 600 --cq-mod 1 --together 0.01 --profile article-1, "
                + "-P nic.wqe.outstanding_fetches=1, -P nic.wqe.outstanding_fetches=8, 300"
    })
    void aCauseThatIsSwitchedOffTakesItsShareAlong(String cause, String run, String on, String off, double least) {
        String line = "perftest " + run + " " + (run.contains("article") ? "" : DIRECT);
        JsonNode with = slow((line + on).strip());
        JsonNode without = slow((line + off).strip());
        assertThat(share(with, cause)).isGreaterThan(least);
        assertThat(share(without, cause)).isLessThan(least / 10);
        assertThat(without.get("latency_ns").asDouble())
                .isLessThan(with.get("latency_ns").asDouble() - least / 2);
    }

    /**
     * Causes whose share is the same wherever they strike. A WQE of three blocks that wraps around the end of its ring is read in two pieces, the
     * second behind the first, and crosses the socket twice. Of 20 operands in a cache of 16 lines four share theirs with another, so a read of
     * one that the device wrote itself goes to memory.
     */
    @ParameterizedTest
    @CsvSource({
        "numa, 100, write-bw -s 140 -I 140 -t 1 -n 60 --cq-mod 1 -P nic.blueflame=false, -P host.numa.memory_node=1, "
                + "-P host.numa.memory_node=0",
        "ddio, 70, atomic-bw -q 20 -t 1 -n 100 --cq-mod 1 --rate 2000000 -P host.llc.ways=1 -P host.ddio.ways=1 "
                + "-P host.llc.kbytes=1, -P host.ddio.modelled=true, -P host.ddio.modelled=false",
        "ddio, 70, atomic-bw -q 20 -t 1 -n 100 --cq-mod 1 --rate 2000000 -P host.llc.ways=1 -P host.ddio.ways=1 "
                + "-P host.ddio.modelled=true, -P host.llc.kbytes=1, -P host.llc.kbytes=4"
    })
    void aFixedPriceIsExactWhenOnAndNothingWhenOff(String cause, double ns, String run, String on, String off) {
        JsonNode with = slow("perftest " + run + " " + on);
        JsonNode without = slow("perftest " + run + " " + off);
        assertThat(share(with, cause)).isCloseTo(ns, within(1e-6));
        assertThat(share(without, cause)).isZero();
        assertThat(with.get("sum_ns").asDouble())
                .isEqualTo(with.get("excess_ns").asDouble());
        assertThat(without.get("sum_ns").asDouble())
                .isEqualTo(without.get("excess_ns").asDouble());
    }

    /** Eight doorbells within the time of a fetch: the last waits for seven fetches of 200 ns, and for others' turns one cycle each. */
    @Test
    void behindAFullFetchEngineTheWaitIsForTheEngine() {
        String line =
                "perftest write-bw -s 64 -q 8 --rate 625000 -n 400 --cq-mod 1 --together 0.01 --profile article-1";
        JsonNode full = slow(line + " -P nic.wqe.outstanding_fetches=1");
        assertThat(share(full, "fetch_queue") + share(full, "scheduler"))
                .isCloseTo(full.get("excess_ns").asDouble(), within(60.0));
        assertThat(share(full, "scheduler")).isBetween(0.0, 7 * 4.0);
        JsonNode wide = slow(line + " -P nic.wqe.outstanding_fetches=8");
        assertThat(share(wide, "fetch_queue")).isLessThan(7 * 4.0);
        assertThat(share(full, "fetch_queue") - share(wide, "fetch_queue"))
                .isCloseTo(
                        full.get("latency_ns").asDouble()
                                - wide.get("latency_ns").asDouble(),
                        within(60.0));
    }

    /** A queue that is alone waits for itself: not for the doorbell, whose way is short, and not for an engine busy with others. */
    @Test
    void aQueueThatIsFullWaitsForItself() {
        String line = "perftest write-bw -s 65536 -n 100 --profile cx6-200g --json -t ";
        JsonNode full = clockwire((line + 64).split(" ")).json();
        JsonNode queue = stage(full, "sq_wait");
        assertThat(queue.path("wait_for").asText()).isEqualTo("the send queue");
        assertThat(queue.path("wait_ns")).isEqualTo(queue.path("duration_ns"));
        assertThat(queue.path("duration_ns").asDouble()).isGreaterThan(5_000);
        assertThat(stage(full, "doorbell").path("duration_ns").asDouble()).isBetween(1.0, 2_000.0);
        assertThat(stage(full, "wqe_fetch").path("duration_ns").asDouble()).isPositive();
        assertThat(stage(full, "wqe_fetch").path("wait_ns").asDouble()).isZero();
        JsonNode single = clockwire((line + 1).split(" ")).json();
        assertThat(stage(single, "sq_wait").isMissingNode()).isTrue();
    }

    private static JsonNode stage(JsonNode run, String name) {
        for (JsonNode stage : run.path("stages")) {
            if (stage.path("name").asText().equals(name)) {
                return stage;
            }
        }
        return MissingNode.getInstance();
    }

    /** Packets of others that were made first held a packet up in front of its own stages, not while its message was on the line. */
    @Test
    void othersAreServedFirstInFrontOfTheLine() {
        JsonNode slow = slow("perftest write-bw -s 65536 -q 4 -t 4 -n 40 --cq-mod 1");
        assertThat(share(slow, "scheduler")).isPositive();
        for (JsonNode part : slow.get("parts")) {
            if (part.get("cause").asText().equals("scheduler")) {
                assertThat(part.get("stage").asText()).isIn("sq_wait", "payload_dma", "assembly");
            }
        }
    }

    /** A lost packet costs the time until it is sent again, all of it. */
    @Test
    void aLostPacketsTimeIsThatUntilItIsSentAgain(@TempDir Path directory) throws IOException {
        Path plan = Files.writeString(
                directory.resolve("f.yaml"), "faults:\n  - {drop: frame, frames: [20], direction: client-to-server}\n");
        String line = "perftest read-lat -s 9000 -n 100";
        JsonNode with = slow(line + " --faults " + plan);
        double timeout = 4096 * 16384.0; // 4.096 us x 2^14
        assertThat(share(with, "retransmit")).isCloseTo(timeout, within(200.0));
        assertThat(with.get("excess_ns").asDouble()).isCloseTo(timeout, within(200.0));
        assertThat(share(slow(line), "retransmit")).isZero();
    }
}

package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the host's own mechanisms cost a NIC, against published figures. */
class HostDepthTest {
    /** What is set besides may have no effect while a mechanism is off, which the command says. */
    private static JsonNode run(String line) {
        return clockwire((line + " --json").split(" ")).document();
    }

    private static double gbps(String options) {
        return run("perftest write-bw --profile cx6-200g -n 40 " + options)
                .path("bandwidth_gbps")
                .asDouble();
    }

    /** P16: Farshin and others, 2023: up to 20 % at 200 Gb/s with 4 KB pages, nothing with larger ones. */
    @ParameterizedTest
    @ValueSource(strings = {"-s 65536 -q 16", "-s 1048576"})
    void aThrashedIotlbCostsAtMostAFifthOfTheLineAndHugePagesGiveItBack(String load) {
        String iommu = load + " -P host.iommu.enabled=true";
        double free = gbps(load);
        assertThat(gbps(iommu)).isBetween(0.8 * free, free);
        // the published machines lose some: fewer walkers than pages a second
        assertThat(gbps(iommu + " -P host.iommu.walkers=2 -P host.iommu.walk_ns=380"))
                .isBetween(0.8 * free, 0.98 * free);
        assertThat(gbps(iommu + " -P host.iommu.walkers=2 -P host.iommu.walk_ns=380 -P host.huge_pages=2M"))
                .isGreaterThan(0.99 * free);
    }

    @Test
    void explainNamesThePageWalks() {
        JsonNode d = run("explain write -s 64 -P nic.blueflame=false -P host.iommu.enabled=true");
        double before = run("explain write -s 64 -P nic.blueflame=false")
                .path("total_ns")
                .asDouble();
        double walks = 0;
        for (JsonNode stage : d.path("stages")) {
            walks += stage.path("wait_for").asText().equals("iotlb_miss")
                    ? stage.path("wait_ns").asDouble()
                    : 0;
        }
        assertThat(walks).isCloseTo(3 * 330, within(0.01)); // WQE, payload, CQE
        assertThat(d.path("total_ns").asDouble()).isGreaterThan(before + walks - 20);
    }

    private static double waited(JsonNode explained, String cause) {
        double sum = 0;
        for (JsonNode stage : explained.path("stages")) {
            sum += stage.path("wait_for").asText().equals(cause)
                    ? stage.path("wait_ns").asDouble()
                    : 0;
        }
        return sum;
    }

    @Test
    void memoryOnTheOtherSocketCostsAHopForEachAccess() {
        String line = "explain write -s 64 -P nic.blueflame=false";
        JsonNode d = run(line + " -P host.numa.memory_node=1");
        assertThat(waited(d, "numa")).isCloseTo(3 * 100, within(0.01)); // WQE, payload, CQE
        double near = run(line).path("total_ns").asDouble();
        // the core sees the CQE by polling, and pays a hop for it too, but after the completion
        assertThat(d.path("total_ns").asDouble() - near).isBetween(280.0, 420.0);
    }

    /** The doorbell crosses on its way to the NIC, before its stage ends; with BlueFlame it carries the WQE, which is not read then. */
    @ParameterizedTest
    @CsvSource({"false, 4, 0", "true, 3, 0", "false, 0, 1"})
    void aDoorbellOnTheOtherSocketIsAHopToo(boolean blueflame, int hops, int coreNode) {
        String line = "explain write -s 64 -I 0 -P nic.blueflame=" + blueflame;
        JsonNode far = run(line + " -P host.numa.nic_node=1 -P host.numa.core_node=" + coreNode
                + " -P host.numa.memory_node=" + coreNode);
        double near = run(line).path("total_ns").asDouble();
        assertThat(waited(far, "numa")).isCloseTo(100 * hops, within(0.01));
        assertThat(far.path("total_ns").asDouble() - near).isBetween(100.0 * hops - 20, 100.0 * hops + 120);
        for (JsonNode stage : far.path("stages")) {
            if (stage.path("name").asText().equals("doorbell")) {
                assertThat(stage.path("wait_ns").asDouble()).isCloseTo(hops > 0 ? 100 : 0, within(0.01));
            }
        }
    }

    /** What an atomic changes is read by the responder's device, and that read is part of the operation too. */
    @Test
    void theOperandOfAnAtomicIsReadAcrossTheSocket() {
        for (JsonNode stage : run("explain atomic -P host.numa.memory_node=1").path("stages")) {
            if (stage.path("name").asText().equals("responder_dma")) {
                assertThat(stage.path("wait_for").asText()).isEqualTo("numa");
                assertThat(stage.path("wait_ns").asDouble()).isCloseTo(100, within(0.01));
                return;
            }
        }
        throw new AssertionError("no stage responder_dma");
    }

    /** Half of article 1's tail: now and then all of memory stalls for 1 us, and at the median nothing has changed. */
    @Test
    void aCommonStallIsSeenInTheTailAndNotAtTheMedian() {
        String line = "perftest write-bw --profile article-1 -s 64 -n 3000 -Q 1 --rate 78125"
                + " -P host.stall.period_ns=12800 -P host.stall.duration_ns=1000 -P host.stall.begins=access";
        JsonNode calm = run(line).path("latency_us");
        JsonNode stalls = run(line + " -P host.stall.probability=0.009").path("latency_us");
        assertThat(stalls.path("p50").asDouble()).isEqualTo(calm.path("p50").asDouble());
        assertThat(stalls.path("p999").asDouble() - calm.path("p999").asDouble())
                .isCloseTo(1.0, within(0.01));
    }

    private static JsonNode client(JsonNode run) {
        return run.path("cores").get(0);
    }

    /** Counted by hand: a READ costs the core 354 ns for the WQE, 30 ns for the store, a look and an entry of 20 ns each. */
    @Test
    void aPollingCoreIsBusyAndWhatItDoesBesidesPollingIsItsWork() {
        JsonNode d = run("perftest read-lat --profile cx6-200g -s 64 -n 200");
        double period = d.path("latency_us").path("avg").asDouble() * 1000;
        double busy = client(d).path("busy_fraction").asDouble();
        assertThat(busy).isCloseTo(1, within(0.001));
        assertThat(busy - client(d).path("cq_polling_fraction").asDouble())
                .isCloseTo((354 + 30 + 20 + 20) / period, within(0.001));
        assertThat(d.path("cores").get(1).path("busy_fraction").asDouble()).isZero(); // a READ asks no core there
    }

    /** The same work in open loop, one READ in 10 us: what lies between post and completion is polled, the rest of the time is slept. */
    @Test
    void aCoreThatPostsAtARatePollsWhileItsMessageIsUnderWay() {
        JsonNode d = run("perftest read-bw --profile cx6-200g -s 64 -n 200 -Q 1 --rate 100000");
        double latency = d.path("latency_us").path("avg").asDouble() * 1000;
        double busy = client(d).path("busy_fraction").asDouble();
        double polling = client(d).path("cq_polling_fraction").asDouble();
        assertThat(busy - polling).isCloseTo((354 + 30 + 20 + 20) / 10_000.0, within(0.004));
        assertThat(polling).isCloseTo((latency - 354 - 30) / 10_000, within(0.004));
    }

    /** A message of 5.5 ms: 270,000 looks in vain, which are skipped. */
    @Test
    void looksInVainCostNothingInOpenLoopToo() {
        JsonNode d = run("perftest write-bw -s 65536 -n 4 -t 4 -Q 1 --rate 1000 --rate_limit 0.1");
        assertThat(d.path("latency_us").path("max").asDouble()).isGreaterThan(5000);
        assertThat(d.path("events").asLong()).isLessThan(20_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "write-bw -s 64 -q 2 -n 500 --rate 1000000 -P host.isolcpus=false -P host.sched.load=0.5"
                        + " -P host.sched.tick_ns=100000",
                "send-bw -s 300 -q 3 -n 200 -t 4 -l 2 --rate 10000000 -P host.cpu.poll_ns=33",
                "read-bw -s 64 -n 200 -Q 7 -t 9 --rate 1000000 --event"
            })
    void openLoopsAreTheSameWithNothingSkipped(String line) {
        assertThat(run("perftest " + line + " --kernel exhaustive").path("trace_hash"))
                .isEqualTo(run("perftest " + line).path("trace_hash"));
    }

    /** One that sleeps until an event comes has besides an interrupt, two looks, and three times a register: to arm, and the READ itself. */
    @Test
    void aSleepingCoreIsIdleButPaysForInterrupts() {
        JsonNode d = run("perftest read-lat --profile cx6-200g -s 64 -n 200 -e -P host.cpu.interrupt_ns=2000");
        double period = d.path("latency_us").path("avg").asDouble() * 1000;
        assertThat(client(d).path("cq_polling_fraction").asDouble()).isZero();
        assertThat(client(d).path("busy_fraction").asDouble() * period)
                .isCloseTo(354 + 30 + 2 * 20 + 20 + 2 * 20 + 2000, within(30.0));
    }

    @Test
    void theTextHasALineForEachCore() {
        assertThat(clockwire("perftest", "read-lat", "--profile", "cx6-200g", "-s", "64", "-n", "50", "--cpu_util")
                        .text())
                .contains(" Core of host0: busy 100.0 %, polling 89.", " Core of host1: busy 0.0 %");
    }

    /** The cores of this profile's machine take long to post: they, not the line, bound a READ of 4 KiB. */
    @Test
    void aCoreWithoutTimeLeftIsNamedAsTheLimit() {
        String reads = "perftest read-bw --profile cx6-200g -s 4096 -n 1000 --payload sizes";
        assertThat(clockwire(reads.split(" ")).text())
                .containsPattern(" Limited by the core of host0: 9[89]\\.\\d % of its time is work");
        assertThat(clockwire((reads + " -P host.cpu.post_ns=60").split(" ")).text())
                .doesNotContain("Limited by");
        assertThat(clockwire("perftest", "read-lat", "-s", "64", "-n", "50").text())
                .doesNotContain("Limited by");
    }

    /** A core that is not isolated loses a slice at each tick: up to 10 us of a round trip, half of them in its half. */
    @Test
    void isolationOfCoresIsSeenInTheTail() {
        String line = "perftest write-lat --profile cx6-200g -s 64 -n 2000 -P host.sched.tick_ns=200000"
                + " -P host.sched.tick_cost_ns=0 -P host.sched.load=1 -P host.sched.slice_ns=10000 -P host.isolcpus=";
        JsonNode alone = run(line + "true").path("latency_us");
        JsonNode shared = run(line + "false").path("latency_us");
        assertThat(shared.path("p50").asDouble()).isCloseTo(alone.path("p50").asDouble(), within(0.02));
        // what of the slice the core would have waited anyway, a round trip at most, is not lost
        double trip = 2 * alone.path("p50").asDouble();
        assertThat(shared.path("max").asDouble() - alone.path("max").asDouble()).isBetween((10 - trip) / 2, 5.01);
    }

    @Test
    void whatCannotBeBuiltIsRefusedBeforeTheRun() {
        clockwire("perftest", "write-lat", "-P", "host.sched.load=2").failsWith(3, "host.sched.load=2");
        clockwire("perftest", "write-lat", "-P", "host.sched.tick_ns=40000").failsWith(3, "what a tick leaves");
        clockwire("perftest", "write-lat", "-P", "host.iommu.iotlb_ways=3").failsWith(3, "64 entries in 3 ways");
        clockwire("perftest", "write-lat", "-P", "host.iommu.walkers=0")
                .failsWith(3, "host.iommu.walkers=0: allowed is a whole number from 1 to 256");
    }

    /** In front of each message stand a command of 1 us and, with prices, 16 pages of 64 KB: the pool has paid before. */
    @Test
    void registeringEachMessageAddsACommandAndItsPages() {
        String line = "perftest read-lat -s 65536 -n 50 --payload sizes";
        String prices = " -P host.reg.pin_page_ns=250 -P host.reg.unpin_page_ns=100 -P host.reg.mtt_entry_ns=40";
        JsonNode pool = run(line + prices);
        double base = pool.path("latency_us").path("p50").asDouble();
        assertThat(run(line).path("latency_us")).isEqualTo(pool.path("latency_us"));
        double command =
                run(line + " --register-each").path("latency_us").path("p50").asDouble();
        assertThat(command - base).isCloseTo(1.0, within(1e-3));
        JsonNode each = run(line + " --register-each" + prices);
        assertThat(each.path("latency_us").path("p50").asDouble() - base).isCloseTo(1.0 + 16 * 0.290, within(1e-3));
        // between two of the 50 messages: a command of 1 us, 16 pages to release
        double period = 1 / each.path("msg_rate_mpps").asDouble();
        assertThat(period - each.path("latency_us").path("avg").asDouble())
                .isCloseTo((1 + 16 * 0.1) * 49 / 50, within(0.05));
    }

    @Test
    void onlyAClientThatIsAloneRegistersEachMessage() {
        clockwire("perftest", "write-lat", "--register-each").failsWith(2, "--register-each", "read-lat");
        clockwire("perftest", "read-bw", "--register-each").failsWith(2, "--register-each", "read-lat");
    }

    /** An interrupt that costs nothing wakes the core as well as another. */
    @Test
    void aFreeInterruptWakesTheCore() {
        String line = "perftest read-lat -s 64 -n 20 --event -P host.cpu.interrupt_ns=";
        double dear = run(line + "1000").path("latency_us").path("p50").asDouble();
        double free = run(line + "0").path("latency_us").path("p50").asDouble();
        assertThat(dear - free).isCloseTo(1.0, within(0.02));
    }
}

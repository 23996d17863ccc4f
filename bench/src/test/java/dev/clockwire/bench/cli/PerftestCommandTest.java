package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.bench.pcap.CaptureReport;
import dev.clockwire.bench.pcap.PacketReport;
import dev.clockwire.bench.pcap.PcapDecode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PerftestCommandTest {
    @TempDir
    Path folder = Path.of("");

    private static JsonNode perftest(String line) {
        return clockwire(("perftest " + line + " --json").split(" ")).json();
    }

    @Test
    void theArticlesCommandLineIsAcceptedAsTyped() {
        String line = "perftest write-bw -d mlx5_0 -F --report_gbits -x 3 -q 4 -D 0.0001 -s 65536 -p 18515 10.0.0.2";
        assertThat(clockwire(line.split(" ")).text())
                .contains(
                        "RDMA_Write BW Test\n",
                        " Dual-port       : OFF\t\tDevice         : mlx5_0\n",
                        " Number of qps   : 4\t\tTransport type : IB\n",
                        " GID index       : 3\n",
                        "profile cx7-400g, seed 1 (no hardware was measured)",
                        "BW average[Gb/sec]",
                        "\n 65536  ");
    }

    @Test
    void theDocumentHasTheFieldsThatScriptsReadAndAHeader() {
        JsonNode d = perftest("write-lat -s 64 -n 20 --seed 5 --profile article-2");
        List<String> fields = new ArrayList<>();
        d.fieldNames().forEachRemaining(fields::add);
        assertThat(fields)
                .startsWith(
                        "schema", "version", "profile", "seed", "tool", "size", "iterations", "qps", "tx_depth", "mtu")
                .contains(
                        "latency_us",
                        "bandwidth_gbps",
                        "msg_rate_mpps",
                        "in_flight_avg",
                        "simulated_ns",
                        "cycles",
                        "events",
                        "evaluations",
                        "wall_s",
                        "cpu_s",
                        "trace_hash",
                        "content_hash",
                        "stages")
                .doesNotContain("ended_early", "interrupted", "peak_rate");
        assertThat(d.get("seed").asLong()).isEqualTo(5);
        assertThat(d.get("profile").asText()).isEqualTo("article-2");
        assertThat(d.get("tool").asText()).isEqualTo("write-lat");
        for (String figure : List.of("min", "avg", "p50", "p99", "p999", "max", "stdev")) {
            assertThat(d.get("latency_us").has(figure)).isTrue();
        }
        assertThat(d.get("stages").get(0).get("name").asText()).isEqualTo("post");
    }

    @ParameterizedTest
    @ValueSource(strings = {"write-lat -s 64", "send-lat -s 300", "send-lat -s 64 -c UD", "write-lat -s 9000 -c UC"})
    void theStagesOfAPingPongAreOneWayAndContiguous(String line) {
        JsonNode d = perftest(line + " -n 30");
        double at = 0;
        for (JsonNode stage : d.get("stages")) {
            assertThat(stage.get("start_ns").asDouble()).isCloseTo(at, within(1e-6));
            at += stage.get("duration_ns").asDouble();
        }
        double half = d.get("latency_us").get("p50").asDouble() * 1000;
        assertThat(at).isCloseTo(half, within(half / 10));
        assertThat(d.get("stages").findValuesAsText("name")).contains("wire", "rx_parse", "rx_dma", "poll");
    }

    @Test
    void aPacketIsFasterInTheWorkRequestThanFetched() {
        double inline =
                perftest("write-lat -s 64 -n 20").get("latency_us").get("p50").asDouble();
        double fetched = perftest("write-lat -s 64 -n 20 -I 0")
                .get("latency_us")
                .get("p50")
                .asDouble();
        double read =
                perftest("read-lat -s 64 -n 20").get("latency_us").get("p50").asDouble();
        assertThat(inline).isLessThan(fetched).isLessThan(read / 1.5);
    }

    /** Line time of a packet: 1024 B of payload and 82 B of headers, preamble, FCS and gap. */
    @Test
    void aSlowLineIsFilledToItsLastByte() {
        double gbps = perftest("write-bw -s 65536 -n 200 -m 1024 --payload sizes -P link.gbps=25")
                .get("bandwidth_gbps")
                .asDouble();
        assertThat(gbps).isCloseTo(25 * 1024 / 1106.0, within(0.25));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "4, 1", "16, 4", "16, 16"})
    void littlesLawHoldsWhateverIsSignalled(int depth, int moderation) {
        JsonNode d = perftest("write-bw -s 8192 -n 400 -t " + depth + " --cq-mod " + moderation);
        double inFlight = d.get("in_flight_avg").asDouble();
        double arithmetic = d.get("latency_us").get("avg").asDouble()
                * d.get("msg_rate_mpps").asDouble();
        assertThat(inFlight).isCloseTo(arithmetic, within(1e-6 * depth)).isLessThanOrEqualTo(depth + 1e-9);
        assertThat(inFlight).isGreaterThan(0.4 * depth);
    }

    @Test
    void openLoopKeepsItsRate() {
        JsonNode d = perftest("write-bw -s 64 -n 100 -q 4 --rate 500000");
        assertThat(d.get("msg_rate_mpps").asDouble()).isCloseTo(0.5, within(0.005));
        assertThat(d.get("in_flight_avg").asDouble()).isLessThan(2);
    }

    @Test
    void aSteadyRunOfGivenDurationEndsEarlyUnlessItMustNot() {
        JsonNode early = perftest("read-lat -s 64 -D 1");
        assertThat(early.get("ended_early").asText()).contains("95 % interval");
        assertThat(early.get("simulated_ns").asDouble()).isLessThan(1e8);
        JsonNode exact = perftest("read-lat -s 64 -D 0.003 --exact");
        assertThat(exact.has("ended_early")).isFalse();
        assertThat(exact.get("simulated_ns").asDouble()).isGreaterThan(3e6).isLessThan(3.1e6);
        assertThat(exact.get("iterations").asLong()).isGreaterThan(1000);
    }

    @Test
    void allSizesAreRows() {
        JsonNode rows = perftest("send-lat -a -n 2 -c UD -m 256").get("rows");
        assertThat(rows).hasSize(8);
        assertThat(rows.get(7).get("size").asLong()).isEqualTo(256);
        String text = clockwire("perftest", "send-lat", "-a", "-n", "2", "-c", "UD", "-m", "256")
                .text();
        assertThat(text).containsPattern("\n 2 +2 +[0-9.]").containsPattern("\n 256 +2 +[0-9.]");
    }

    @Test
    void everyLatencyCanBePrinted() {
        assertThat(clockwire("perftest", "write-lat", "-n", "3", "-U").text())
                .containsPattern("#, usec\n1, [0-9.]+\n2, [0-9.]+\n3, [0-9.]+\n");
        assertThat(clockwire("perftest", "write-lat", "-n", "3", "-H", "-C").text())
                .containsPattern("#, cycles\n1, [0-9.]+\n");
    }

    @Test
    void countersStandWhereTheRealToolsShowThem() {
        assertThat(clockwire("perftest", "write-lat", "-n", "5", "-d", "rxe0", "--counters")
                        .text())
                .contains(
                        "# host1: grep . /sys/class/infiniband/rxe0/ports/1/hw_counters/*\n",
                        "\n/sys/class/infiniband/rxe0/ports/1/hw_counters/out_of_sequence:0\n",
                        "\nNIC statistics:\n",
                        "\n     rx_packets_phy: 10\n",
                        "\n     tx_packets_phy: 10\n");
        JsonNode counters = perftest("write-lat -n 5 --counters").get("counters");
        assertThat(counters.get(0).get("host").asText()).isEqualTo("host0");
        assertThat(counters.get(1).get("ethtool").get("tx_packets_phy").asLong())
                .isEqualTo(10);
        assertThat(counters.get(0).get("hw_counters").get("duplicate_request").asLong())
                .isZero();
        assertThat(perftest("write-lat -n 5").has("counters")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "write-lat -n 20",
                "read-lat -s 9000 -n 20",
                "send-lat -c UD -n 20",
                "atomic-lat -n 20",
                "write-bw -q 3 -s 20000 -n 30",
                "write-bw -c UC -s 5000 -n 30 --payload sizes",
                "read-bw -s 10000 -n 30 --ipv6",
                "send-bw -s 5000 -n 30 -m 1024",
                "atomic-bw -q 2 -n 30"
            })
    void softwareDevicesLeaveTheSameMemoryAndTheSameFrames(String line) {
        JsonNode hardware = perftest(line + " --counters");
        JsonNode software = perftest(line + " --counters --provider soft");
        assertThat(software.get("content_hash")).isEqualTo(hardware.get("content_hash"));
        assertThat(software.get("evaluations").asLong()).isZero();
        assertThat(software.get("stages")).isEmpty();
        for (int host = 0; host < 2; host++) {
            assertThat(frames(software, host)).isEqualTo(frames(hardware, host));
        }
    }

    private static long frames(JsonNode result, int host) {
        return result.get("counters")
                .get(host)
                .get("ethtool")
                .get("tx_packets_phy")
                .asLong();
    }

    /** A sleeping core sees a completion an interrupt later; a stream of many in flight hides that. */
    @ParameterizedTest
    @CsvSource({
        "write-lat -n 50, hw",
        "read-lat -n 50, hw",
        "send-lat -n 50, hw",
        "atomic-lat -n 50, hw",
        "send-lat -c UD -n 50, hw",
        "send-lat -n 50, soft",
        "read-lat -n 50, soft",
        "write-bw -n 300 -s 4096, hw",
        "read-bw -n 300 -s 4096, hw",
        "send-bw -n 300 -s 4096, hw",
        "send-bw -n 300 -s 4096, soft"
    })
    void sleepingOnEventsCostsAnInterruptForEach(String command, String provider) {
        String line = "perftest " + command + " --json --provider " + provider;
        JsonNode polled = clockwire(line.split(" ")).json();
        JsonNode slept = clockwire((line + " --event").split(" ")).document();
        double interruptUs = 1.5; // HostParts: what taking one costs
        if (command.contains("-lat")) {
            double more = slept.get("latency_us").get("p50").asDouble()
                    - polled.get("latency_us").get("p50").asDouble();
            assertThat(more).isBetween(0.3 * interruptUs, 3 * interruptUs);
        } else {
            assertThat(slept.get("bandwidth_gbps").asDouble())
                    .isBetween(
                            0.5 * polled.get("bandwidth_gbps").asDouble(),
                            1.01 * polled.get("bandwidth_gbps").asDouble());
        }
        assertThat(slept.get("content_hash")).isEqualTo(polled.get("content_hash"));
        assertThat(clockwire((line + " -e").split(" ")).document().get("trace_hash"))
                .isEqualTo(slept.get("trace_hash"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--provider soft "})
    void aSwitchCostsItsLatencyAndOneMoreLine(String provider) {
        String line = "perftest write-lat --json -n 20 -s 2048 -P link.switch_ns=500 " + provider;
        double direct =
                clockwire(line.split(" ")).document().at("/latency_us/p50").asDouble();
        JsonNode through = clockwire((line + "--switch").split(" ")).json();
        // frame of 2048 B with RETH, headers, ICRC, FCS, preamble and gap at 400 Gb/s; PHY 100 ns, cable 10 ns
        double hop = 0.5 + (2048 + 98) * 8 / 400e3 + 0.11;
        assertThat(through.at("/latency_us/p50").asDouble() - direct).isCloseTo(hop, within(0.01));
    }

    @ParameterizedTest
    @CsvSource({
        "write-lat -s -1, -1",
        "write-lat -s 0, 0",
        "write-bw -s 1073741825, 1073741824",
        "write-lta, write-lat",
        "write-lat -n 0, -n 0",
        "write-lat -n x, x",
        "write-lat -q 2, one queue pair",
        "write-bw -q 0, -q 0",
        "write-bw -t 0, -t 0",
        "write-bw -t 40000, 32768",
        "write-bw -l 0, -l 0",
        "send-bw -r 0, -r 0",
        "write-bw --cq-mod 0, --cq-mod 0",
        "write-lat -m 1000, 1000",
        "write-lat -I 5000, 828",
        "write-lat -c XC, XC",
        "write-lat -c UD, RC or UC",
        "read-lat -c UC, needs RC",
        "atomic-lat -s 16, 16",
        "atomic-lat -a, one size",
        "atomic-lat -A SWAP, FETCH_AND_ADD",
        "read-bw -o 17, 1 to 16",
        "send-lat -c UD -s 5000, datagram",
        "write-lat -D 0, 0.0",
        "write-lat -D 1 -n 5, exclude",
        "write-lat --exact, -D",
        "write-lat --rate 1000, bw tools",
        "write-bw --rate 1, 100",
        "write-lat -x 256, 255",
        "write-lat -p 0, -p 0",
        "write-lat --kernel fast, exhaustive",
        "write-lat --payload none, sizes",
        "write-lat --provider x, hw",
        "write-lat --waves nic, --out",
        "write-lat --size=1 --tx-detph 3, --tx-depth"
    })
    void mistakesAreOneLineThatNamesThem(String line, String word) {
        clockwire(("perftest " + line).split(" ")).failsWith(2, word);
    }

    @Test
    void aProfileThatCannotBeIsExitCode3() {
        clockwire("perftest", "write-lat", "--profile", "cx6-220g").failsWith(3, "cx6-200g");
        clockwire("perftest", "write-lat", "-P", "pcie.lanes=3").failsWith(3, "lanes", "16");
    }

    private Path run(String name, String... more) {
        Path out = folder.resolve(name);
        List<String> args = new ArrayList<>(List.of(
                "perftest", "write-bw", "-s", "9000", "-n", "10", "--waves", "nic@..30us", "--out", out.toString()));
        args.addAll(List.of(more));
        assertThat(clockwire(args.toArray(new String[0])).text()).isNotEmpty();
        return out;
    }

    @Test
    void equalTracesLeaveEqualFiles() throws IOException {
        Path a = run("a");
        Path b = run("b", "--kernel", "exhaustive", "-d", "rxe0", "--report_gbits");
        for (String file : List.of(
                "capture.pcapng",
                "waves.vcd",
                "stats.json",
                "latency.hgrm",
                "timeline.perfetto-trace",
                "operations.json",
                "series.csv")) {
            assertThat(a.resolve(file)).isNotEmptyFile();
            assertThat(Files.mismatch(a.resolve(file), b.resolve(file)))
                    .as(file)
                    .isEqualTo(-1);
        }
        assertThat(a.resolve("stats.json"))
                .content()
                .contains("\"command\": \"clockwire perftest write-bw --profile cx7-400g -c RC -s 9000 -n 10")
                .doesNotContain(folder.toString(), "exhaustive", "--waves");
        try (var files = Files.list(a)) {
            assertThat(files).hasSize(7);
        }
    }

    @Test
    void theCaptureHasEveryFrameOnceInOrder() {
        CaptureReport report = PcapDecode.decode(run("c", "-I", "0").resolve("capture.pcapng"));
        assertThat(report.icrcGood()).isEqualTo(report.frames()).isEqualTo(report.roceFrames());
        assertThat(report.malformed()).isZero();
        assertThat(report.packets()).extracting(PacketReport::timeNs).isSorted();
        assertThat(report.packets().stream().filter(p -> "RC_RDMA_WRITE_FIRST".equals(p.opcode())))
                .hasSize(10);
        assertThat(report.packets().stream()
                        .filter(p -> p.payloadLen() != null)
                        .mapToLong(p -> p.payloadLen())
                        .sum())
                .isEqualTo(90_000);
    }

    @Test
    void sizesLeaveTheTrueLengthsInTheCapture() {
        CaptureReport bytes = PcapDecode.decode(run("d").resolve("capture.pcapng"));
        CaptureReport sizes = PcapDecode.decode(run("e", "--payload", "sizes").resolve("capture.pcapng"));
        assertThat(sizes.packets())
                .extracting(PacketReport::length)
                .isEqualTo(bytes.packets().stream().map(PacketReport::length).toList());
    }

    @Test
    void aMistakeLeavesNothingBehind() {
        Path out = folder.resolve("deep/out");
        clockwire("perftest", "write-lat", "-n", "5", "--waves", "nci", "--out", out.toString())
                .failsWith(3, "nci", "nic");
        clockwire("perftest", "write-lat", "-s", "-1", "--out", out.toString()).failsWith(2, "-1");
        clockwire("perftest", "write-lat", "-a", "--out", out.toString()).failsWith(2, "-a");
        assertThat(folder).isEmptyDirectory();
    }

    private String faults(String entry) throws IOException {
        return Files.writeString(folder.resolve("f.yaml"), "faults:\n  - {" + entry + "}\n")
                .toString();
    }

    @Test
    void aLostFrameIsSentAgain() throws IOException {
        Path out = folder.resolve("out");
        String file = faults("drop: frame, frames: [5], direction: client-to-server, match: {opcode: RC_RDMA_WRITE_*}");
        JsonNode d = perftest("write-bw -s 4096 -n 20 --out " + out + " --faults " + file);
        assertThat(d.get("iterations").asInt()).isEqualTo(20);
        CaptureReport capture = PcapDecode.decode(out.resolve("capture.pcapng"));
        List<String> psns = capture.packets().stream()
                .filter(p -> "RC_RDMA_WRITE_ONLY".equals(p.opcode()))
                .map(PacketReport::psn)
                .toList();
        assertThat(psns.stream().distinct()).hasSize(20);
        assertThat(psns.stream().filter(psn -> psn.equals(psns.get(4)))).hasSize(2);
        assertThat(Files.readString(out.resolve("stats.json"))).contains(" --faults f.yaml", "link.a.fault_lost");
    }

    @Test
    void theCaptureShowsTheDamage() throws IOException {
        Path out = folder.resolve("out");
        String file = faults("corrupt: frame, frames: [2, 4], bit: 700, direction: tx");
        perftest("write-bw -s 4096 -n 20 --out " + out + " --faults " + file);
        CaptureReport capture = PcapDecode.decode(out.resolve("capture.pcapng"));
        assertThat(capture.icrcBad()).isEqualTo(2);
        assertThat(Files.readString(out.resolve("stats.json"))).contains("rx_icrc_encapsulated");
    }

    @Test
    void faultsAreTheSameInEveryMode() throws IOException {
        String file = faults("drop: frame, probability: 0.01");
        Files.writeString(
                folder.resolve("f.yaml"),
                "  - {corrupt: frame, probability: 0.02, direction: tx}\n",
                StandardOpenOption.APPEND);
        String line = "write-bw -s 65536 -n 30 --hash full --seed 4 --faults " + file;
        JsonNode d = perftest(line);
        assertThat(perftest(line + " --payload sizes").get("trace_hash")).isEqualTo(d.get("trace_hash"));
        assertThat(perftest(line + " --kernel exhaustive").get("trace_hash")).isEqualTo(d.get("trace_hash"));
        assertThat(perftest(line.replace(" --faults " + file, "")).get("trace_hash"))
                .isNotEqualTo(d.get("trace_hash"));
    }

    @Test
    void aMessageThatNeverComesEndsTheRun() throws IOException {
        String file = faults("drop: frame, frames: [3]");
        clockwire(("perftest write-lat -c UC -s 8 -n 10 --faults " + file).split(" "))
                .failsWith(3, "no message has ended for 5 s", "after 2 messages");
    }

    @Test
    void aBadFaultFileIsRefusedWithItsPlace() throws IOException {
        clockwire(("perftest write-lat --faults " + faults("drop: frame, frame: [3]")).split(" "))
                .failsWith(3, "f.yaml:2:19: unknown key 'frame'; did you mean frames?");
        clockwire("perftest write-lat --faults nowhere.yaml".split(" ")).failsWith(3, "no such file: nowhere.yaml");
    }

    @Test
    void aPausedServerAnswersLater() throws IOException {
        String line = "read-lat -s 8 -n 50";
        double usual = perftest(line).get("latency_us").get("max").asDouble();
        String file = faults("pause: server, at_us: 60, for_us: 10");
        double paused = perftest(line + " --faults " + file)
                .get("latency_us")
                .get("max")
                .asDouble();
        assertThat(paused).isBetween(usual + 8, usual + 10.5);
        clockwire(("perftest write-lat --faults " + faults("pause: server, frames: [3]")).split(" "))
                .failsWith(3, "a pause has 'for_us'");
    }
}

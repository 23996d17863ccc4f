package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code nvmf perf} with both ends in the kernel. */
class KernelStacksCommandTest {
    private static final String QUICK = "nvmf perf -q 1 -o 4096 -w randread --media null --json ";

    @TempDir
    Path folder = Path.of("");

    private static JsonNode json(String line) throws IOException {
        return new ObjectMapper().readTree(clockwire(line.split(" ")).text());
    }

    @Test
    void tcpIsCountedAndAddsUp() throws IOException {
        JsonNode d = json(QUICK + "-t 0.005 --stack kernel-tcp");
        assertThat(d.at("/stack").asText()).isEqualTo("kernel-tcp");
        double total = 0;
        for (JsonNode s : d.at("/stages")) {
            total += s.at("/duration_ns").asDouble();
        }
        assertThat(total).isCloseTo(1000 * d.at("/latency_us/avg").asDouble(), within(0.5));
        assertThat(d.at("/per_io/host_copies").asDouble()).isEqualTo(1);
        assertThat(d.at("/per_io/host_copied_bytes").asDouble()).isEqualTo(4096);
        assertThat(d.at("/per_io/target_copies").asDouble()).isZero();
        assertThat(d.at("/per_io/host_interrupts").asDouble()).isBetween(1.0, 3.0);
        assertThat(d.at("/per_io/target_context_switches").asDouble()).isBetween(2.0, 6.0);
        assertThat(d.at("/cores/0/busy_fraction").asDouble()).isBetween(0.2, 0.8);
        assertThat(d.at("/in_flight_avg").asDouble()).isCloseTo(1, within(0.02));
    }

    /** The NIC serves the target's queues: it is faster than the software beside it, and its core has nothing to do. */
    @Test
    void theOffloadIsComparedWithTheSoftware() throws IOException {
        String line = QUICK + "-t 0.002 --stack offload --against spdk";
        JsonNode d = json(line);
        assertThat(d.at("/stack").asText()).isEqualTo("offload");
        assertThat(d.at("/against/stack").asText()).isEqualTo("spdk");
        assertThat(d.at("/latency_us/p99").asDouble())
                .isLessThan(d.at("/against/latency_us/p99").asDouble());
        assertThat(d.at("/per_io/target_nic_executed").asDouble()).isCloseTo(1, within(0.01));
        assertThat(d.at("/per_io/target_nic_passed_on").asDouble()).isZero();
        assertThat(d.at("/per_io/target_memory_bytes").asDouble()).isBetween(8192.0, 9000.0);
        assertThat(d.at("/against/per_io/target_memory_bytes").asDouble()).isBetween(8192.0, 9000.0);
        assertThat(d.at("/cores/1/cq_polling_fraction").asDouble()).isGreaterThan(0.999);
        assertThat(d.at("/against/cores/1/cq_polling_fraction").asDouble()).isLessThan(0.98);
        JsonNode asleep = json(line + " --interrupt-mode");
        assertThat(asleep.at("/cores/1/busy_fraction").asDouble()).isLessThan(0.005);
        assertThat(asleep.at("/against/cores/1/busy_fraction").asDouble()).isGreaterThan(0.1);
    }

    /** What was typed counts; queues that the NIC has no room for are told of; one namespace of several can be chosen. */
    @Test
    void theOffloadTakesTheHardwareAsItIs() throws IOException {
        String line = QUICK + "-t 0.0005 --stack offload ";
        clockwire((line + "-P nic.nvmf.contexts=0").split(" ")).failsWith(3, "nic.nvmf.contexts is 0");
        clockwire((line + "-P pcie.switch=none").split(" ")).failsWith(3, "pcie.switch is none");
        assertThat(clockwire((line + "-P nic.dm.bytes=131072").split(" ")).notes())
                .contains("the NIC serves 0 of 1 queues");
        String[] second = (line + "--ssds 2 -r").split(" ");
        String[] words = Arrays.copyOf(second, second.length + 1);
        words[second.length] = "trtype:RDMA traddr:10.0.0.2 ns:2";
        JsonNode d = new ObjectMapper().readTree(clockwire(words).text());
        assertThat(d.at("/devices")).hasSize(1);
        assertThat(d.at("/devices/0/name").asText()).endsWith("NSID 2");
        assertThat(d.at("/per_io/target_nic_executed").asDouble()).isGreaterThan(0.9);
    }

    @Test
    void rdmaCopiesNothingAndLiesBetweenTheOthers() throws IOException {
        JsonNode rdma = json(QUICK + "-t 0.003 --stack kernel-rdma");
        assertThat(rdma.at("/per_io/host_copies").asDouble()).isZero();
        assertThat(rdma.at("/per_io/target_copies").asDouble()).isZero();
        assertThat(rdma.at("/per_io/host_interrupts").asDouble()).isCloseTo(2, within(0.1));
        double p99 = rdma.at("/latency_us/p99").asDouble();
        assertThat(p99)
                .isGreaterThan(json(QUICK + "-t 0.003 --stack spdk")
                        .at("/latency_us/p99")
                        .asDouble());
        assertThat(p99)
                .isLessThan(json(QUICK + "-t 0.004 --stack kernel-tcp")
                        .at("/latency_us/p99")
                        .asDouble());
    }

    /** Wireshark knows each PDU, finds each checksum right and nothing malformed. */
    @Test
    void tsharkReadsNvmeOverTcp() throws Exception {
        Path out = folder.resolve("out");
        json(QUICK + "-t 0.004 --stack kernel-tcp --out " + out);
        List<String> lines = tshark(
                out,
                "-o",
                "tcp.check_checksum:TRUE",
                "-o",
                "ip.check_checksum:TRUE",
                "-T",
                "fields",
                "-e",
                "nvme-tcp.type",
                "-e",
                "tcp.checksum.status",
                "-e",
                "ip.checksum.status",
                "-e",
                "_ws.malformed",
                "-e",
                "tcp.analysis.flags");
        assertThat(lines).hasSizeGreaterThan(60).allMatch(l -> l.endsWith("\t1\t1\t\t"));
        List<String> pdus = lines.stream()
                .map(l -> l.split("\t", -1)[0])
                .filter(t -> !t.isEmpty())
                .toList();
        assertThat(pdus.subList(0, 8)).as("of the admin queue").containsExactly("0", "1", "4", "5", "4", "5", "4", "5");
        assertThat(pdus).as("data and response of a read in one frame").endsWith("4", "7,5");
    }

    /** Connections, capsules, data and responses that invalidate a key, as Wireshark follows them from the connection manager on. */
    @Test
    void tsharkReadsNvmeOverRdma() throws Exception {
        Path out = folder.resolve("out");
        json(QUICK + "-t 0.002 --stack kernel-rdma --out " + out);
        List<String> lines = tshark(out, "-T", "fields", "-e", "_ws.malformed", "-e", "_ws.col.Info");
        assertThat(lines).allMatch(l -> l.startsWith("\t"));
        assertThat(lines.stream().filter(l -> l.contains("CM:"))).hasSize(6);
        assertThat(lines.stream().filter(l -> l.contains("NVMe CQE for Read")))
                .hasSizeGreaterThan(100)
                .allMatch(l -> l.contains("RC Send Only Invalidate"));
    }

    private static List<String> tshark(Path out, String... options) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("tshark", "-r", out.resolve("capture.pcapng").toString()));
        command.addAll(List.of(options));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            assumeTrue("true".equals(System.getenv("CI")), "tshark is not installed: what it would say is not tested");
            throw new AssertionError("tshark must be installed when CI=true", e);
        }
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).isZero();
        return lines;
    }

    @Test
    void whatTheKernelHasNotIsRefused() {
        clockwire((QUICK + "-t 0.001 --stack kernel-tcp -c 0x3").split(" ")).failsWith(3, "one core");
        clockwire((QUICK + "-t 0.001 --stack kernel-tcp --ssds 2").split(" ")).failsWith(3, "one SSD");
        String tcp = QUICK + "-t 0.001 --stack kernel-tcp ";
        clockwire((tcp + "--payload sizes").split(" ")).failsWith(3, "carry bytes");
        clockwire((tcp + "--provider soft").split(" ")).failsWith(3, "carry bytes");
        clockwire((tcp + "-r trtype:RDMA").split(" ")).failsWith(2, "-r trtype:RDMA: --stack kernel-tcp has TCP");
    }
}

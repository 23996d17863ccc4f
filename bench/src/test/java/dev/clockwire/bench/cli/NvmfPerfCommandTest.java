package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.bench.nvmf.NvmfSpec;
import dev.clockwire.bench.nvmf.PerfResults;
import dev.clockwire.bench.nvmf.PerfRun;
import dev.clockwire.sim.capture.CaptureReader;
import dev.clockwire.storage.perf.PerfResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NvmfPerfCommandTest {
    private static final String USUAL = "-q 4 -o 4k -w randread -t 0.002 --media p4800x";

    @TempDir
    Path folder = Path.of("");

    private static CommandRunner any(String line) {
        return clockwire(("nvmf perf " + line).split(" "));
    }

    private static CommandRunner perf(String line) {
        return clockwire(("nvmf perf --local " + line).split(" "));
    }

    /** Line by line what the real tool's source prints, in its widths. */
    @Test
    void theTextIsThatOfTheRealTool() {
        List<String> lines = perf(USUAL + " -LL").text().lines().toList();
        String name = "PCIE (0000:01:00.0) NSID 1";
        assertThat(lines.subList(0, 5))
                .containsExactly(
                        "Initializing NVMe Controllers",
                        "Attached to NVMe Controller at PCIE (0000:01:00.0)",
                        "Associating " + name + " with lcore 0",
                        "Initialization complete. Launching workers.",
                        "========================================================");
        assertThat(lines.get(5)).isEqualTo(" ".repeat(name.length() + 60 - 11) + "Latency(us)");
        assertThat(lines.get(6))
                .isEqualTo("Device Information" + " ".repeat(name.length() + 13 - 18)
                        + ":       IOPS      MiB/s    Average        min        max");
        assertThat(lines.get(7))
                .matches("PCIE \\(0000:01:00.0\\) NSID 1 from core  0: +\\d+\\.\\d\\d +\\d+\\.\\d\\d +\\d+\\.\\d\\d"
                        + " +\\d+\\.\\d\\d +\\d+\\.\\d\\d");
        assertThat(lines.get(8)).isEqualTo("=".repeat(56));
        assertThat(lines.get(9))
                .startsWith("Total" + " ".repeat(name.length() + 13 - 5) + ": ")
                .hasSameSizeAs(lines.get(7));
        assertThat(lines.get(10)).isEmpty();
        assertThat(lines.get(11)).isEqualTo("Summary latency data for " + name + " ".repeat(17) + " from core 0:");
        assertThat(lines.get(12)).isEqualTo("=".repeat(81));
        assertThat(lines.get(13)).matches("  1\\.00000% : {1,5}\\d+\\.\\d{3}us");
        assertThat(lines.get(27)).matches(" 99\\.99999% : {1,5}\\d+\\.\\d{3}us");
        assertThat(lines.get(28)).isEmpty();
        assertThat(lines.get(29)).isEqualTo("Latency histogram for " + name + " ".repeat(17) + " from core 0:");
        assertThat(lines.get(30)).isEqualTo("=".repeat(78));
        assertThat(lines.get(31)).isEqualTo("       Range in us     Cumulative    IO count");
        assertThat(lines.get(32)).matches(" *\\d+\\.\\d{3} - +\\d+\\.\\d{3}: +\\d+\\.\\d{4}%  \\( +\\d+\\)");
        assertThat(perf(USUAL).text()).doesNotContain("Summary");
        assertThat(perf(USUAL + " -L").text()).contains("Summary").doesNotContain("histogram");
    }

    @Test
    void theDocumentHasTheFieldsThatScriptsRead() {
        JsonNode d = perf(USUAL + " --json --seed 7").json();
        List<String> fields = new ArrayList<>();
        d.fieldNames().forEachRemaining(fields::add);
        assertThat(fields)
                .startsWith("schema", "version", "profile", "seed", "stack")
                .contains("io_size", "workload", "queue_depth", "iops", "mib_s", "in_flight_avg", "cores", "stages");
        assertThat(d.get("stack").asText()).isEqualTo("local");
        assertThat(d.get("seed").asLong()).isEqualTo(7);
        JsonNode l = d.get("latency_us");
        for (String key : List.of("min", "p50", "p99", "p999", "max", "avg")) {
            assertThat(l.get(key).asDouble()).as(key).isPositive();
        }
        double sum = 0;
        for (JsonNode s : d.get("stages")) {
            assertThat(s.get("start_ns").asDouble()).isCloseTo(sum, within(1e-6));
            sum += s.get("duration_ns").asDouble();
        }
        assertThat(sum).isCloseTo(l.get("avg").asDouble() * 1000, within(1e-3));
        assertThat(d.get("cores").get(0).get("busy_fraction").asDouble()).isBetween(0.99, 1.0);
        assertThat(d.get("cores").get(0).get("cq_polling_fraction").asDouble()).isBetween(0.5, 1.0);
        assertThat(d.get("iops").asDouble() * l.get("avg").asDouble() * 1e-6).isCloseTo(4, within(0.08));
        assertThat(d.get("in_flight_avg").asDouble()).isCloseTo(4, within(0.08));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-q 4 -o 4096 -w randread|2|missing -t",
                "-q 4 -o 4096 -w randrw -t 0.001|2|missing -M",
                "-q 0 -o 4096 -w read -t 0.001|2|-q 0 is outside its range 1 to 65536",
                "-q 4 -o 1000 -w read -t 0.001|3|no multiple of 512",
                "-q 4 -o 4x -w read -t 0.001|2|-o 4x: expected a whole number such as 4096 or 4k",
                "-q 4 -o 4k -w raed -t 0.001|2|did you mean read?",
                "-q 4 -o 4k -w read -t NaN|2|-t",
                "-q 4 -o 4k -w read -t 0.001 --media p5800|3|did you mean p5800x?",
                "-q 4 -o 4k -w read -t 0.001 -c 0x0|2|names no core",
                "-q 4 -o 4k -w read -t 0.001 --core-mak 0x1|2|did you mean --core-mask?",
                "-q 4 -o 4k -w read -t 0.001 -P nic.blueflam=true|3|did you mean nic.blueflame?",
                "-q -1 -o 4k -w read -t 0.001|2|-q -1 is outside its range 1 to 65536",
                "-q 4 -o 4k -w read -t 0.001 -P -1|2|-P -1 is outside its range 1 to 128",
                "-q 4 -o 4k -w read -t 0.001 -c [0-1000]|2|1001 cores",
                "-q 4 -o 4k -w read -t 0.001 -c [0-127]|2|128 of a controller, which has 127",
                "-q 4 -o 4k -w read -t 0.001 -P 64 --use-every-core -c 0x3|2|128 of a controller, which has 127",
                "-q 4 -o 4k -w read -t 0.001 -F 1|2|-F 1: must be 0 to 10, and not 1",
                "-q 4 -o 4k -w read -t 0.001 --stack tcp|2|did you mean kernel-tcp?",
                "-q 4 -o 4k -w read -t 0.001 --fio .|3|.: is a directory",
                "-q 4 -o 4k -w read -t 0.001 --fio /dev/zero|3|/dev/zero: has more than 1048576 bytes",
                "-q 4 -o 4k -w read -t 0.001 -P 0|2|-P 0 is outside its range 1 to 128",
                "-q 4 -o 4k -w read -t 0.001 -d 3|2|less than the queue depth",
                "-q 4 -o 4k -w read -t 0.001 -b 0000:09:00.0|2|unknown PCIe address",
                "-q 4 -o 4k -w read -t 0.001 -b 0000:01:00.0 --ssds 2 --block-size 0|2|must be a power of two, 512 to"
                        + " 65536",
                "-q 4 -o 4k -w read -t 0.001 --block-size 768|2|must be a power of two",
                "-q 99999999999 -o 4k -w read -t 0.001|2|-q 99999999999 is outside its range 1 to 65536",
                "-q 4 -o 4k -w read -t 0.001 -P 129|2|-P 129 is outside its range 1 to 128",
                "-q 4 -o 4k -w read -t 0.001 -s x|2|-s x",
                "-q 4 -o 4k -w read -t 0.001 --provider soft|2|--provider is for a fabric",
                "-q 4 -o 4k -w read -t 0.001 -r trtype:RDMA|2|not on the way to local SSDs",
                "-q 4 -o 4k -w read -t 0.001 -r trtype:PCI|2|trtype 'PCI' is not simulated",
                "-q 4 -o 4k -w read -t 0.001 --stack spdk|2|exclude each other",
                "-q 4 -o 4k -w read -t 0.001 -e PRACT=1|2|metadata",
                "-q 4 -o 4k -w read -t 0.001 -S ssl|2|sockets"
            })
    void mistakesAreOneLine(String line, int code, String text) {
        perf(line).failsWith(code, text);
    }

    /** What a fabric does not have is refused: nobody shall think that it had an effect. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "trtype:TCP traddr:10.0.0.2|--stack kernel-tcp has TCP",
                "trtype:PCIe|is not on the way to a target of --stack spdk",
                "trtype:RDMA adrfam:IPv6 traddr:10.0.0.2|must be IPv4",
                "trtype:RDMA traddr:10.0.0.2 ns:2|-r ns:2: must be 1 to 1, the namespaces",
                "trtype:RDMA traddr:10.0.0.2 ns:x|-r ns:x: must be 1 to 1",
                "trtype:RDMA traddr:10.0.0.300|-r traddr '10.0.0.300': must be four numbers",
                "trtype:RDMA traddr:10.0.0.2 trsvcid:99999|-r trsvcid 99999 is not in 1..65535",
                "trtype:RDMA traddr:10.0.0.2 trsvcid:nvme|-r trsvcid 'nvme' is not in 1..65535",
                "trtype:RDMA subnqn:nqn.2016-06.io.spdk:cnode|did you mean nqn.2016-06.io.spdk:cnode1?",
                "trtype:RDMA traddr:10.0.0.2 hostnqn:nqn.2016-06.io.spdk:h|-r hostnqn"
            })
    void fabricsRefuseWhatTheyDoNotHave(String id, String text) {
        String[] usual = {"nvmf", "perf", "-q", "1", "-o", "4k", "-w", "read", "-t", "0.001", "--stack", "spdk"};
        clockwire(with(usual, "-r", id)).failsWith(2, text);
        clockwire(with(usual, "-b", "01:00.0")).failsWith(2, "-b is for local SSDs");
        String rdma = "trtype:RDMA traddr:10.0.0.2";
        clockwire(with(usual, "-r", rdma, "-r", rdma)).failsWith(2, "once");
    }

    /** 1 TiB is outstanding when a millisecond is over: a quarter of a second later the run ends, and says so. */
    @Test
    void theEndIsNotWaitedForWithoutLimit() {
        var run = perf("-q 65536 -o 16m -w randread -t 0.001 --media null --json");
        assertThat(run.notes())
                .containsPattern(
                        "6[0-9]{4} I/Os of 65536 are still outstanding 0.25 s after the end: not waited for; no"
                                + " figure");
        JsonNode d = run.document();
        assertThat(d.get("undrained").asLong()).isBetween(60_000L, 65_535L);
        assertThat(d.get("simulated_ns").asDouble()).isBetween(2.5e8, 2.7e8);
        assertThat(perf(USUAL + " --json").json().has("undrained")).isFalse();
    }

    /** {@code -k} and {@code -C} reach SPDK's host; elsewhere they are noted or refused. */
    @Test
    void queuesOfAFabricAreUsedAsAsked() {
        String fabric = "nvmf perf -q 8 -o 512 -w randread -t 0.001 --stack spdk --media null --json";
        JsonNode usual = clockwire(fabric.split(" ")).json();
        assertThat(clockwire((fabric + " -C 1").split(" ")).json().get("trace_hash"))
                .as("a poll for each completion")
                .isNotEqualTo(usual.get("trace_hash"));
        assertThat(clockwire((fabric + " -C 128").split(" ")).json().get("trace_hash"))
                .as("as many as a poll takes anyway")
                .isEqualTo(usual.get("trace_hash"));
        assertThat(clockwire((fabric + " -k 10000").split(" ")).json().get("trace_hash"))
                .as("SPDK's default")
                .isEqualTo(usual.get("trace_hash"));
        clockwire((fabric + " -k -1").split(" ")).failsWith(2, "-k -1");
        assertThat(perf(USUAL + " -k 500").notes())
                .contains("-k is for --stack spdk and offload: ignored, as the real tool does");
        for (String option : List.of("-C 8", "-U 1", "--use-every-core", "--doorbell-each")) {
            clockwire(("nvmf perf -q 1 -o 4k -w read -t 0.001 --stack kernel-tcp " + option).split(" "))
                    .failsWith(2, option.replaceAll(" .*", "") + " is for local SSDs and --stack spdk");
        }
    }

    private static String[] with(String[] usual, String... more) {
        return Stream.concat(Stream.of(usual), Stream.of(more)).toArray(String[]::new);
    }

    /** A read of 4 KiB passes memory of the host twice, or not at all: WQEs, the record of receives and the like remain. */
    @Test
    void dataOfTheOffloadPassWhereItIsAskedFor() throws IOException {
        String load = "nvmf perf --json --stack offload --media null -q 1 -o 4k -w randread -t 0.001 -a 0.0002";
        JsonNode host = clockwire(load.split(" ")).json();
        JsonNode ssd =
                clockwire((load + " --offload-memory controller").split(" ")).json();
        assertThat(host.at("/per_io/target_memory_bytes").asDouble()).isBetween(2 * 4096.0, 2 * 4096.0 + 400);
        assertThat(ssd.at("/per_io/target_memory_bytes").asDouble()).isBetween(64.0, 200.0);
        assertThat(ssd.at("/per_io/target_nic_executed").asDouble()).isBetween(0.99, 1.01);
        assertThat(ssd.at("/latency_us/avg").asDouble())
                .isLessThan(host.at("/latency_us/avg").asDouble());
        clockwire("nvmf perf -q 1 -o 4k -w read -t 0.001 --offload-memory controller".split(" "))
                .failsWith(2, "--offload-memory controller is for --stack offload");
        clockwire((load + " --offload-memory ssd").split(" ")).failsWith(2, "unknown memory of the offload 'ssd'");
        clockwire((load + " --offload-memory controller -P nic.nvmf.contexts=0").split(" "))
                .failsWith(3, "nic.nvmf.contexts is 0");
        clockwire((load + " --offload-memory controller -P pcie.switch=none").split(" "))
                .failsWith(3, "pcie.switch is none");
    }

    /** Who interrupts an hour gets what was measured, over the time that it took. */
    @Test
    void anInterruptedRunTellsWhatItHas() {
        NvmfPerfOptions options = new NvmfPerfOptions();
        options.depth = "4";
        options.size = "4k";
        options.pattern = "randread";
        options.seconds = 3600.0;
        NvmfOptions own = new NvmfOptions();
        own.local = true;
        int[] asked = {0};
        PerfResults r = new PerfRun(new NvmfResolver(options, own).resolve()).run(() -> ++asked[0] == 5);
        assertThat(r.interrupted()).isTrue();
        PerfResult row = r.rows().get(0).result();
        assertThat(row.latency().count()).isGreaterThan(1000);
        assertThat(row.iops()).isBetween(500_000.0, 800_000.0);
        assertThat(row.littleError()).isLessThan(0.02);
    }

    @Test
    void transportsAndAddressesChooseSsds() {
        String two = "-q 1 -o 4k -w read -t 0.001 --ssds 3 --namespaces 2 --media null ";
        assertThat(perf(two).text())
                .contains("0000:03:00.0) NSID 2 with lcore 0")
                .contains("0000:01:00.0) NSID 1");
        assertThat(perf(two + "-b 02:00.0").text())
                .contains("at PCIE (0000:02:00.0)\nAssociating PCIE (0000:02:00.0) NSID 1 with lcore 0\nAssoc")
                .doesNotContain("0000:01:00.0", "0000:03:00.0");
        CommandRunner r = clockwire(
                "nvmf",
                "perf",
                "-q",
                "1",
                "-o",
                "4k",
                "-w",
                "read",
                "-t",
                "0.001",
                "--namespaces",
                "2",
                "-r",
                "trtype:PCIe traddr:0000:01:00.0 ns:2");
        assertThat(r.text()).contains("NSID 2").doesNotContain("NSID 1");
    }

    /** The command in the files makes the same files again. */
    @Test
    void theFilesTellHowToMakeThemAgain() throws IOException {
        Path first = folder.resolve("a");
        Path second = folder.resolve("b");
        String line = USUAL + " -P 2 -P host.cpu.poll_ns=30 -c 0x3 -F 0.9 --out " + first;
        perf(line).text();
        assertThat(first).isDirectoryContaining("glob:**/latency.hgrm").isDirectoryContaining("glob:**/stats.json");
        JsonNode stats = new ObjectMapper().readTree(first.resolve("stats.json").toFile());
        String command = stats.get("command").asText();
        assertThat(command).contains("--media p4800x", "-P host.cpu.poll_ns=30", "-c 0x3", "-t 0.002");
        String[] again = (command.substring("clockwire ".length()) + " --out " + second).split(" ");
        clockwire(again).text();
        for (String file : List.of("latency.hgrm", "stats.json")) {
            assertThat(Files.readString(second.resolve(file))).isEqualTo(Files.readString(first.resolve(file)));
        }
    }

    @Test
    void overridesChangeTheRun() {
        double usual = perf("-q 1 -o 4k -w randread -t 0.001 --json")
                .json()
                .get("latency_us")
                .get("avg")
                .asDouble();
        double slow = perf("-q 1 -o 4k -w randread -t 0.001 -P host.cpu.post_ns=1060 --json")
                .json()
                .get("latency_us")
                .get("avg")
                .asDouble();
        assertThat(slow - usual).isCloseTo(1.0, within(0.05));
        double late = perf("-q 1 -o 4k -w randread -t 0.001 -P ssd.fixed_ns=1400 --json")
                .json()
                .get("latency_us")
                .get("avg")
                .asDouble();
        assertThat(late - usual).isCloseTo(1.0, within(0.05));
        perf("-q 1 -o 4k -w randread -t 0.001 -P ssd.unit=3").failsWith(3, "did you mean ssd.units?");
    }

    /** What the profile says of NIC, line and the NIC's link is nothing to a local SSD, and said so; what it has anyway needs no word. */
    @Test
    void settingsWithoutEffectAreTold() {
        String run = "-q 1 -o 4k -w randread -t 0.001 -P ";
        assertThat(perf(run + "link.gbps=100 -P pcie.generation=3").notes())
                .contains("link.gbps=100 has no effect", "pcie.generation=3 has no effect");
        assertThat(perf(run + "host.cpu.post_ns=50").notes()).doesNotContain("no effect");
        assertThat(perf(run + "ssd.units=3").notes()).doesNotContain("no effect");
        assertThat(perf(run + "ssd.program_ns=3000").notes())
                .contains("ssd.program_ns=3000 has no effect: p5800x has no write buffer");
        assertThat(perf(run + "ssd.read_ns=3000 --media null").notes())
                .contains("ssd.read_ns=3000 has no effect: null has no units");
        String fabric = "nvmf perf -q 1 -o 4k -w randread -t 0.001 ";
        assertThat(clockwire((fabric + "-P host.kernel.syscall_ns=9 -P ssd.write_ns=3 --media pm9a3").split(" "))
                        .notes())
                .contains(
                        "host.kernel.syscall_ns=9 has no effect: no stack of the run is in the kernel",
                        "ssd.write_ns=3 has no effect: pm9a3 has a write buffer");
        String busy = "host.isolcpus=false -P host.sched.tick_ns=200000 -P host.sched.load=1";
        assertThat(perf(run + busy).notes()).doesNotContain("no effect");
        assertThat(perf(run + "host.sched.load=1").notes())
                .contains("host.sched.load=1 has no effect: nothing of the host's cores and memory depends on it");
        assertThat(perf(run + "host.peer_ns=100").notes()).contains("host.peer_ns=100 has no effect");
        String remote = "-q 1 -o 4k -w randread -t 0.0005 --stack spdk -P ";
        assertThat(any(remote + "host.peer_ns=100").notes())
                .contains("host.peer_ns=100 has no effect: no program registers memory of another device");
        assertThat(any(remote + busy + " -P link.gbps=100").notes()).doesNotContain("no effect");
        assertThat(any(remote + "host.sched.load=1 -P host.kernel.idle_exit_ns=0")
                        .notes())
                .contains(
                        "host.sched.load=1 has no effect",
                        "host.kernel.idle_exit_ns=0 has no effect: no stack of the run");
    }

    /** Cores that other tasks take as well: their slices are in the tail of the reads, the median stays, and nothing gets lost. */
    @ParameterizedTest
    @ValueSource(strings = {"--local", "--stack spdk", "--stack spdk --interrupt-mode", "--stack kernel-rdma"})
    void coresThatAreNotIsolated(String stack) {
        String run = "-q 4 -o 4k -w randread -t 0.006 --media null " + stack;
        String busy = " -P host.isolcpus=false -P host.sched.tick_ns=200000 -P host.sched.load=1 -P"
                + " host.sched.slice_ns=50000";
        JsonNode usual = any(run + " --json").json().get("latency_us");
        JsonNode late = any(run + busy + " --json").json().get("latency_us");
        assertThat(late.get("max").asDouble() - usual.get("max").asDouble()).isBetween(40.0, 130.0);
        assertThat(late.get("min").asDouble()).isCloseTo(usual.get("min").asDouble(), within(1.0));
        assertThat(late.get("avg").asDouble()).isGreaterThan(usual.get("avg").asDouble());
    }

    /** An image is written by one run and there for the next; a block that was never written is a hole of zeros. */
    @Test
    void anImageSurvivesTheRun() throws IOException {
        Path image = folder.resolve("disk.img");
        assertThat(perf("-q 1 -o 4k -w write -t 0.0005 -d 4 --image " + image).notes())
                .contains("too short");
        assertThat(Files.size(image)).isEqualTo(1L << 36); // nearly all of it a hole
        byte[] known = head(image);
        known[5000] = 77;
        try (FileChannel file = FileChannel.open(image, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(known));
        }
        perf("-q 1 -o 4k -w read -t 0.002 --image " + image).text();
        assertThat(head(image)).isEqualTo(known);
        perf("-q 1 -o 4k -w read -t 0.001 --payload sizes --image " + image).failsWith(2, "--image takes bytes");
        clockwire("nvmf", "perf", "-q", "1", "-o", "4k", "-w", "read", "-t", "1", "--image", "x")
                .failsWith(2, "--local");
    }

    private static byte[] head(Path image) throws IOException {
        try (InputStream in = Files.newInputStream(image)) {
            return in.readNBytes(1 << 16);
        }
    }

    /** Whatever a user names by mistake is there afterwards as it was before. */
    @Test
    void aFileThatIsNoImageIsLeftAlone() throws IOException {
        Path notes = Files.writeString(folder.resolve("notes.txt"), "years of work");
        perf("-q 1 -o 4k -w randwrite -t 0.0005 --image " + notes)
                .failsWith(3, "notes.txt has 13 B, the namespace 68719476736");
        assertThat(notes).hasContent("years of work");
    }

    /** Less time than an I/O takes gives no figures, and says which gives them; that time is enough for Little's law too. */
    @Test
    void runsThatAreTooShortHaveNoFigures() {
        for (String load : List.of("-q 1", "-q 64", "-q 4 --media null", "-q 1 -w randrw -M 50")) {
            String line = load.contains("-w") ? load : load + " -w randread";
            CommandRunner none = perf(line + " -o 4k -t 0.0000001 --json");
            JsonNode d = none.document();
            assertThat(d.get("iops").isNull()).isTrue();
            assertThat(d.get("latency_us").isNull()).isTrue();
            assertThat(d.get("devices").get(0).get("avg_us").isNull()).isTrue();
            assertThat(none.notes()).contains("no I/O has ended in the time that counts");
            String enough = none.notes().replaceAll("(?s).*-t ([0-9.]+) is enough.*", "$1");
            assertThat(perf(line + " -o 4k -t " + enough).notes()).isEmpty();
            String later = perf(line + " -o 4k -t 0.00003").notes();
            assertThat(later).contains("too short to check Little's law");
            enough = later.replaceAll("(?s).*-t ([0-9.]+) is enough.*", "$1");
            assertThat(perf(line + " -o 4k -t " + enough).notes()).isEmpty();
        }
        assertThat(perf("-q 1 -o 4k -w randread -t 0.0000001").notes()).contains("no figures");
        assertThat(perf("-q 8 -o 4k -w randread -t 0.01 -d 9").notes()).contains("-d 800 and -t");
    }

    /** Who interrupts the warm-up gets a run without figures that says so. */
    @Test
    void anInterruptedWarmUpHasNoFigures() {
        NvmfPerfOptions options = new NvmfPerfOptions();
        options.depth = "4";
        options.size = "4k";
        options.pattern = "randread";
        options.seconds = 1.0;
        options.warmup = 1000.0;
        NvmfOptions own = new NvmfOptions();
        own.local = true;
        NvmfSpec spec = new NvmfResolver(options, own).resolve();
        PerfRun run = new PerfRun(spec);
        PerfResults r = run.run(() -> true);
        assertThat(r.interrupted()).isTrue();
        assertThat(r.latencyUs()).isNull();
    }

    /** A capture ends in front of the frame that would be too much, and says so; what it has are the first frames of the whole one. */
    @Test
    void aCaptureEndsAtItsLimit() throws IOException {
        String run = "nvmf perf -q 4 -o 4k -w randread -t 0.0005 --stack spdk --out ";
        Path whole = folder.resolve("whole");
        Path cut = folder.resolve("cut");
        assertThat(clockwire((run + whole).split(" ")).notes()).doesNotContain("left out");
        assertThat(clockwire((run + cut + " --capture-limit 100k").split(" ")).notes())
                .containsPattern(
                        "capture.pcapng has the first [0-9]+ frames, until [0-9.]+ us; [0-9]+ more are left out");
        List<String> all = frames(whole.resolve("capture.pcapng"));
        List<String> some = frames(cut.resolve("capture.pcapng"));
        assertThat(Files.size(cut.resolve("capture.pcapng"))).isBetween(90_000L, 104_000L);
        assertThat(some).hasSizeLessThan(all.size()).isEqualTo(all.subList(0, some.size()));
        clockwire((run + folder.resolve("all") + " --capture-limit 0").split(" "))
                .notes();
        assertThat(folder.resolve("all").resolve("capture.pcapng"))
                .hasSameBinaryContentAs(whole.resolve("capture.pcapng"));
        perf("-q 1 -o 4k -w read -t 0.001 --capture-limit 1g").failsWith(2, "--capture-limit needs --out DIR");
    }

    private static List<String> frames(Path capture) {
        List<String> all = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(capture)) {
            while (reader.next()) {
                int from = reader.dataOffset();
                all.add(reader.ns() + " " + HexFormat.of().formatHex(reader.data(), from, from + reader.length()));
            }
        }
        return all;
    }

    /** Cores are called as the table numbers them, whatever the stack. */
    @Test
    void coresAreCalledByHostAndNumber() {
        assertThat(perf(USUAL + " -c 0x6").text()).contains(" host0 lcore 1: ", " host0 lcore 2: ", "from core  2");
        for (String stack : List.of("spdk", "kernel-rdma")) {
            JsonNode d = clockwire(
                            ("nvmf perf -q 1 -o 4k -w randread -t 0.002 -c 0x2 --json --stack " + stack).split(" "))
                    .json();
            assertThat(d.get("cores").get(0).get("name").asText()).isEqualTo("host0 lcore 1");
            assertThat(d.get("cores").get(1).get("name").asText()).startsWith("host1 lcore ");
            assertThat(d.get("cores").get(1).get("path").asText()).startsWith("host1");
        }
        assertThat(clockwire("nvmf perf -q 1 -o 4k -w randread -t 0.002 --interrupt-mode".split(" "))
                        .text())
                .contains("looking in vain, waking up for it included");
    }

    /** Steady random writes of flash: the vendor says 200,000. */
    @Test
    void garbageCollectionSlowsRandomWrites() {
        String line = "-q 256 -o 4k -w randwrite -t 0.02 --media pm9a3 --json";
        double steady = perf(line + " --gc").document().get("iops").asDouble();
        assertThat(steady).isBetween(150_000.0, 250_000.0);
        assertThat(perf(line).document().get("iops").asDouble()).isGreaterThan(4 * steady);
        perf("-q 1 -o 4k -w read -t 0.1 --gc").failsWith(2, "p5800x overwrites in place");
    }
}

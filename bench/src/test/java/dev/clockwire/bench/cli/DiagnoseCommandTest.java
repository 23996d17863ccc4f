package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is well is not accused; what is not is named, whichever way its counters come. */
class DiagnoseCommandTest {
    private static final String COUNTERS =
            " --counters=hw-counters,ethtool-s,ethtool-c,lspci,numa,interrupts,status,iommu";

    @TempDir
    private Path folder;

    private JsonNode findings(Path file) {
        return clockwire("diagnose", file.toString(), "--json").json().get("findings");
    }

    private Path saved(String text) throws IOException {
        return Files.writeString(folder.resolve("counters"), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "write-lat -s 64 -n 200",
                "read-lat -s 4096 -n 200",
                "send-lat -s 64 -n 200",
                "atomic-lat -n 200",
                "write-bw -s 65536 -n 200 -q 4 --payload sizes",
                "write-bw -s 64 -n 500 -q 8 -l 16",
                "read-bw -s 65536 -n 100 --payload sizes",
                "send-bw -s 4096 -n 300",
                "atomic-bw -n 200",
                "write-lat -s 64 -n 200 --event",
                "send-bw -c UD -s 1024 -n 300",
                "write-bw -s 4096 -n 300 --profile cx6-200g -P host.iommu.enabled=true -P host.huge_pages=2M",
                "write-bw -s 4096 -n 300 --profile cx5-100g --switch",
                "send-bw -s 4096 -n 500 --event",
                "send-bw -s 4096 -n 200 -q 8 --event --use-srq",
            })
    void aHealthyToolIsNotAccused(String tool) throws IOException {
        String run = clockwire(("perftest " + tool + COUNTERS + " --json").split(" "))
                .output();
        assertThat(findings(saved(run))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hw", "light"})
    void aHealthyFabricIsNotAccused(String endpoints) throws IOException {
        Path yaml = Files.writeString(folder.resolve("f.yaml"), """
            topology: {kind: star, hosts: 3, gbps: 100, delay_us: 1}
            switches: {buffer: {mib: 16}, ecn: {kmin_kb: 150, kmax_kb: 1500, pmax: 0.2}}
            hosts: {dcqcn: nvidia}
            flows:
              - incast: {from: 2, to: host2, bytes: 2000000}
            until_ms: 20
            """);
        String run = clockwire("fabric", "run", yaml.toString(), "--endpoints", endpoints, "--counters", "--json")
                .output();
        assertThat(findings(saved(run))).isEmpty();
    }

    /** The same counters as text and as a document of statistics. */
    @Test
    void theSameIsFoundInEveryForm() throws IOException {
        Path yaml = Files.writeString(folder.resolve("f.yaml"), """
            topology: {kind: star, hosts: 5, gbps: 100, delay_us: 1}
            switches: {buffer: {kb: 500}, pfc: {classes: []}}
            hosts: {dcqcn: off}
            flows:
              - incast: {from: 4, to: host4, bytes: 1000000}
            until_ms: 20
            """.replace("kb: 500", "bytes: 500000"));
        String out = folder.resolve("out").toString();
        String text = clockwire("fabric", "run", yaml.toString(), "--endpoints", "hw", "--counters", "--out", out)
                .output();
        JsonNode pasted = findings(saved(text));
        assertThat(pasted.get(0).get("rule").asText()).isEqualTo("pfc-off");
        assertThat(pasted.get(0).get("evidence").asText()).contains("rx_prio3_discards=", "tx_prio3_pause=0");
        assertThat(findings(folder.resolve("out").resolve("stats.json"))).isEqualTo(pasted);
        assertThat(clockwire("diagnose", folder.resolve("counters").toString()).text())
                .startsWith("pfc-off: ")
                .contains("    evidence: switch rx_prio3_discards=", "    cure: enable PFC");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nvmf perf -q 8 -o 4096 -w randread -t 0.0005",
                "nvmf perf -q 8 -o 4096 -w randread -t 0.0002 --stack kernel-rdma",
                "nvmf perf -q 8 -o 4096 -w randread -t 0.0002 --stack kernel-tcp",
                "storage run 3fs --op mix --size 64K --ops 5",
                "storage run daos --op mix --size 64K --ops 5",
                "storage run ceph --op mix --size 64K --ops 5",
            })
    void storageRunsThatAreWellAreNotAccused(String command) {
        Path out = folder.resolve("storage");
        clockwire((command + " --out " + out).split(" ")).output();
        assertThat(findings(out.resolve("stats.json"))).isEmpty();
    }

    /** The command register is written before the SSD is attached; lspci shows it also if nothing can be attached. */
    @Test
    void anSsdMayBeLookedAt() {
        String load = "nvmf perf --local -q 1 -o 4096 -w randread -t 0.0002 ";
        assertThat(clockwire((load + "--lspci").split(" ")).output())
                .contains("01:00.0 Non-Volatile memory controller: ", "BusMaster+");
        clockwire((load + "--setpci COMMAND=0x0102").split(" ")).failsWith(3, "cannot be attached");
        clockwire((load + "--setpci COMAND=1").split(" ")).failsWith(2, "COMMAND=VALUE");
        clockwire("nvmf perf -q 1 -o 4096 -w randread -t 0.0002 --lspci".split(" "))
                .failsWith(2, "--local");
    }

    @Test
    void filesThatSayNothingAndFilesThatAreNotThere() throws IOException {
        Path nothing = saved("hello\n");
        assertThat(clockwire("diagnose", nothing.toString()).output())
                .isEqualTo("nothing found\n    note: 1 line means nothing here: 1 \"hello\"\n");
        assertThat(clockwire("diagnose", nothing.toString()).notes()).contains("no counter in it is known");
        Path healthy = saved("NIC statistics:\n     rx_packets_phy: 9000\n     tx_packets_phy: 8000\nhello\n");
        assertThat(clockwire("diagnose", healthy.toString()).output())
                .startsWith("""
                    nothing found in 2 counters
                        looked at: rx_packets_phy, tx_packets_phy
                        not judged, for want of counters: bus-master-off (lspci -vvv);\
                    """)
                .contains(
                        "note: 1 line means nothing here: 4 \"hello\"",
                        "note: these are counts since the driver was loaded");
        clockwire("diagnose", "there-is-none").failsWith(3, "there-is-none");
        clockwire("diagnose").failsWith(2, "FILE");
    }

    /** The first reading is taken off; a time makes shares of pauses, without one they are weighed by packets. */
    @Test
    void twoReadingsAndTheTimeBetweenThem() throws IOException {
        Path first = Files.writeString(folder.resolve("first"), hostReading(1_000_000, 100, 7_000));
        Path later = saved(hostReading(3_000_000, 1_100, 307_000));
        assertThat(clockwire("diagnose", later.toString()).text()).startsWith("nothing found in 4 counters\n");
        String[] both = {"diagnose", "--before", first.toString(), later.toString()};
        assertThat(clockwire(both).text())
                .startsWith("nothing found in 4 counters\n")
                .contains(
                        "near a limit: slow-receiver: tx_prio3_pause=1000 is 0.00050, limit 0.0010",
                        "nobody said how long");
        String[] timed = {"diagnose", "--before", first.toString(), "--duration", "10", later.toString()};
        assertThat(clockwire(timed).text())
                .startsWith("slow-receiver: ")
                .contains(
                        "    evidence: tx_prio3_pause=1000 tx_prio3_pause_duration=300000 rx_packets_phy=2000000",
                        "note: differences of two readings, 10.0 s apart")
                .doesNotContain("since the driver");
        JsonNode document =
                clockwire("diagnose", later.toString(), "-D", "100", "--json").json();
        assertThat(document.get("findings")).isEmpty();
        assertThat(document.get("near").get(0).asText()).contains("0.0031, limit 0.01");
        assertThat(document.get("not_judged").toString()).contains("numa (numa_node)");
        assertThat(document.get("looked_at").toString()).contains("tx_prioN_pause_duration");
        assertThat(document.get("notes").get(0).asText()).contains("since the driver was loaded");
        clockwire("diagnose", later.toString(), "-D", "0").failsWith(2, "--duration 0.0 is outside its range");
        clockwire("diagnose", later.toString(), "-D", "NaN").failsWith(2, "is not a number");
        clockwire("diagnose", "--before", "there-is-none", later.toString()).failsWith(3, "there-is-none");
    }

    private static String hostReading(long packets, long pauses, long paused) {
        return "NIC statistics:\n     rx_packets_phy: " + packets + "\n     rx_discards_phy: 0\n     tx_prio3_pause: "
                + pauses + "\n     tx_prio3_pause_duration: " + paused + "\n";
    }

    @Test
    void filesThatAreNoText() throws IOException {
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0x7F, 'E', 'L', 'F', (byte) 0xFE, 0});
        clockwire("diagnose", binary.toString()).failsWith(3, "is no text in UTF-8");
        Path wide = Files.write(folder.resolve("wide"), "\ufeffout_of_sequence: 812\n".getBytes(UTF_16LE));
        clockwire("diagnose", wide.toString()).failsWith(3, "is no text in UTF-8 but in UTF-16", "iconv");
        Path zeros = Files.write(folder.resolve("zeros"), new byte[300]);
        assertThat(clockwire("diagnose", zeros.toString()).output()).startsWith("nothing found\n    note: 1 line");
        Path empty = saved("");
        assertThat(clockwire("diagnose", empty.toString()).output()).isEqualTo("nothing found\n");
        assertThat(clockwire("diagnose", empty.toString()).notes()).contains("no counter in it is known");
    }

    /** The statistics of a run that was cut, or whose disk was full, are not a machine that is well. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\n\"schema\": \"clockwire.stats/1\",\n\"statistics\": [",
                "[{\"ifname\": \"mlx5_0\", ",
                "{\"a\" 1}"
            })
    void aDocumentThatIsCutIsAMistake(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("cut.json"), text);
        for (CommandRunner run : List.of(
                clockwire("diagnose", file.toString()),
                clockwire("diagnose", "--before", file.toString(), file.toString()))) {
            run.failsWith(3, "cut.json: no whole JSON document: line ", ", column ");
            assertThat(run.printed()).doesNotContain("Source:", "StreamRead");
        }
    }
}

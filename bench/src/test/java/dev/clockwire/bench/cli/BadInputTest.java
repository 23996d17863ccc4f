package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.Param;
import dev.clockwire.nic.profile.Parameters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people type that cannot be done, and what is odd but can. */
class BadInputTest {
    @TempDir
    Path folder = Path.of("");

    private static CommandRunner run(String line) {
        return clockwire(line.split(" "));
    }

    static Stream<String> endsOfRanges() {
        return Parameters.all().stream().flatMap(p -> values(p).map(v -> p.path() + "=" + v));
    }

    private static Stream<String> values(Param p) {
        return p.choices().isEmpty()
                ? Stream.of(p.min(), p.max())
                        .map(v -> p.kind() == Param.Kind.INTEGER ? Long.toString(v.longValue()) : v.toString())
                : p.choices().stream();
    }

    /** What an end of a range needs of other parameters, which bound it: a cache's ways its size, a node the number of nodes. */
    private static final Map<String, String> TOGETHER = Map.ofEntries(
            Map.entry("pcie.credits.posted_data=", "pcie.mps=128"),
            Map.entry("pcie.lanes_supported=", "pcie.lanes=1"),
            Map.entry("pcie.mps=", "pcie.mps_supported=4096"),
            Map.entry("pcie.mps_supported=128", "pcie.mps=128"),
            Map.entry("host.iommu.iotlb_entries=1", "host.iommu.iotlb_ways=1"),
            Map.entry("host.iommu.iotlb_ways=1048576", "host.iommu.iotlb_entries=1048576"),
            Map.entry("pcie.ats=true", "host.iommu.enabled=true"),
            Map.entry("pcie.atc_entries=1", "pcie.atc_ways=1"),
            Map.entry("pcie.atc_ways=1048576", "pcie.atc_entries=1048576"),
            Map.entry("nic.pause.xoff_bytes=1024", "nic.pause.xon_bytes=0"),
            Map.entry("nic.pause.xon_bytes=67108864", "nic.pause.xoff_bytes=67108864"),
            Map.entry("host.numa.nic_node=255", "host.numa.nodes=256"),
            Map.entry("host.numa.memory_node=255", "host.numa.nodes=256"),
            Map.entry("host.numa.core_node=255", "host.numa.nodes=256"),
            Map.entry("host.ddio.ways=64", "host.llc.ways=64 host.llc.kbytes=4096"),
            Map.entry("host.llc.ways=1", "host.ddio.ways=1 host.llc.kbytes=4096"),
            Map.entry("host.llc.ways=64", "host.llc.kbytes=4096"),
            Map.entry("host.llc.kbytes=1", "host.llc.ways=1 host.ddio.ways=1"),
            Map.entry("host.llc.kbytes=4194304", "host.llc.ways=64"),
            Map.entry("host.sched.tick_ns=", "host.sched.tick_cost_ns=0 host.sched.slice_ns=0"),
            Map.entry("host.sched.slice_ns=", "host.sched.tick_ns=1E9"),
            Map.entry("host.stall.duration_ns=", "host.stall.period_ns=1E10"));

    private static String together(String override) {
        String others = TOGETHER.getOrDefault(override, TOGETHER.get(override.replaceAll("=.*", "=")));
        return others == null ? "" : " -P " + others.replace(" ", " -P ");
    }

    /** What the catalogue allows no block may refuse later. */
    @ParameterizedTest
    @MethodSource("endsOfRanges")
    void eachEndOfAParametersRangeWorks(String override) {
        assertThat(run("explain write -s 300 --json -P " + override + together(override))
                        .document()
                        .get("stages"))
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "link.gbps=100d",
                "link.gbps=100f",
                "link.gbps=0x1p3",
                "link.gbps=NaN",
                "link.gbps=1e999",
                "link.gbps=",
                "link.gbps=100Gb/s",
                "nic.core_mhz=250.5",
                "nic.core_mhz=0xFA",
                "host.mmio_ns=0.0001",
                "host.mmio_ns=60ns",
                "pcie.lanes=+8",
                "nic.blueflame=yes"
            })
    void aValueThatIsNoNumberIsNamedWithWhatIsAllowed(String override) {
        run("explain write -P " + override).failsWith(3, override, "allowed is");
    }

    @ParameterizedTest
    @CsvSource({
        "perftest write-lat -s 1.5, '1.5, whole number'",
        "perftest write-bw -D 1d, '1d, a number'",
        "perftest write-lat --cq-mod 0, --cq-mod 0",
        "perftest write-lat -a -s -1, -s -1",
        "perftest atomic-lat -s 4, '-s 4, 8 bytes'",
        "perftest write-bw -q 16385, '-q 16385, 16367'",
        "perftest write-bw -q 16000 -t 32768 -n 32768, '-q 16000 -t 32768, 4194303'",
        "perftest send-bw -q 16000 -t 1 -r 32768, '-q 16000 -r 32768, 4194303'",
        "explain write -c UD, write needs RC or UC",
        "explain write --waves, --out",
        "selfcheck --out x, --out"
    })
    void anOptionOutsideItsRangeIsNamedEvenWhereNothingDependsOnIt(String line, String words) {
        run(line).failsWith(2, words.split(", "));
    }

    @Test
    void valuesThatDoNotGoTogetherAreNamedBoth() {
        run("explain write -P pcie.credits.posted_data=100 -P pcie.mps=2048 -P pcie.mps_supported=2048")
                .failsWith(3, "pcie.credits.posted_data=100", "pcie.mps=2048", "from 128");
        run("explain write -P pcie.ats=true").failsWith(3, "pcie.ats=true", "host.iommu.enabled=false");
    }

    /** What a part of the hardware refuses is named as it was typed, whichever of several parts of the kind it is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nic.cache.qpc_entries=4 nic.cache.qpc_ways=8",
                "nic.cache.mpt_entries=6 nic.cache.mpt_ways=2",
                "nic.cache.mtt_entries=12 nic.cache.mtt_ways=4",
                "nic.cache.qpc_bytes=100",
                "host.iommu.iotlb_entries=2 host.iommu.iotlb_ways=4",
                "pcie.atc_entries=24 pcie.atc_ways=8",
                "host.llc.kbytes=3 host.llc.ways=11",
                "host.numa.nic_node=2 host.numa.nodes=2",
                "host.numa.memory_node=1 host.numa.nodes=1",
                "host.numa.core_node=7 host.numa.nodes=4",
                "host.stall.duration_ns=1000 host.stall.period_ns=900",
                "host.sched.slice_ns=1000 host.sched.tick_ns=4000",
                "pcie.switch=on_chip pcie.lanes=1 pcie.generation=3"
            })
    void valuesThatBoundEachOtherAreNamedAsTyped(String overrides) {
        run("explain write -P " + overrides.replace(" ", " -P ")).failsWith(3, overrides.split(" "));
    }

    /** 64 KB at 100 kbit/s, or 100 messages a second of which only the last makes a completion: slow, but nothing is lost. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "write-bw -s 65536 -n 2 -t 1 --rate_limit 0.0001",
                "write-bw -s 8 -n 700 -t 1000 -Q 1000 --rate 100"
            })
    void whatIsSlowIsNotTakenForLost(String line) {
        assertThat(run("perftest " + line + " --json")
                        .json()
                        .get("simulated_ns")
                        .asDouble())
                .isGreaterThan(5e9);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "perftest",
                "explain",
                "selfcheck",
                "pcap",
                "pcap decode",
                "pcap replay",
                "profile",
                "validate",
                "audit",
                "scenario",
                "config",
                "config import",
                "fabric",
                "fabric run",
                "fabric experiment",
                "live",
                "bench"
            })
    void helpIsPrintedWithoutAWarning(String command) {
        assertThat(run((command + " --help").strip()).text()).contains("Usage: clockwire " + command);
    }

    /** Less than one packet in a retry buffer, a fault of a bit that no frame has, a file in which nothing is claimed. */
    @Test
    void whatCouldNeverHappenIsRefused() throws Exception {
        for (String ber : List.of("", " -P pcie.ber=1e-9")) {
            run("perftest write-lat -n 10 -P pcie.retry_bytes=1" + ber)
                    .failsWith(3, "pcie.retry_bytes=1", "pcie.mps=256", "0 or a whole number from 280");
            run("perftest write-lat -n 10 -P pcie.retry_bytes=280" + ber).notes();
        }
        Path faults =
                Files.writeString(folder.resolve("f.yaml"), "faults: [{corrupt: frame, bit: 999999, frames: 1}]\n");
        run("perftest write-lat -n 10 --faults " + faults).failsWith(3, "999999", "33647");
        Path empty = Files.writeString(folder.resolve("empty.csv"), "");
        run("audit " + empty).failsWith(3, "empty.csv", "names the columns");
        Path heading = Files.writeString(folder.resolve("heading.csv"), "claim,link_gbps\n\n");
        run("audit " + heading).failsWith(3, "heading.csv", "no claim");
    }

    @Test
    void anUnknownNameIsAnsweredWithTheNearestOrWithItsGroup() {
        run("explain write -P nic.blueflme=false").failsWith(3, "did you mean nic.blueflame?");
        run("explain write -P foo=1").failsWith(3, "'foo'; known are host.*, pcie.*, nic.*, link.*");
        run("explain write -P nic.ecn.foo=1").failsWith(3, "known are nic.ecn.capable, nic.ecn.notify,");
        run("explain write --frobnicate").failsWith(2, "unknown option '--frobnicate' of 'clockwire explain'");
        run("perftest ib_write_bw -R -F").failsWith(2, "option '-R' of the real tool is not simulated: both hosts");
        run("perftest ib_write_bw --use_cuda=0").failsWith(2, "option '--use_cuda' of the real tool is not simulated");
        run("perftest write-lat --counters qps").failsWith(2, "--counters qps: write --counters=qps");
        run("fabric run missing.yaml").failsWith(3, "no such file: missing.yaml");
        run("explain write --profile cx").failsWith(3, "'cx'", "cx7-400g");
        clockwire("pcap", "decode", "").failsWith(2, "''");
        clockwire("explain", "write", "--out", "").failsWith(2, "'--out'", "''");
    }

    @Test
    void aPayloadBeyondWhatTheDeviceSupportsIsRefused() {
        run("explain write -P pcie.lanes=16 -P pcie.lanes_supported=8")
                .failsWith(3, "pcie.lanes=16", "at most 8", "pcie.lanes_supported");
        run("explain write -P pcie.mps=4096").failsWith(3, "pcie.mps=4096", "at most 512 B", "pcie.mps_supported");
        run("explain write -P pcie.mps=1024 -P pcie.mps_supported=1024").text();
    }

    @Test
    void rangesAreSaidAsTheyAreTyped() {
        run("explain write -P pcie.completion_timeout_us=10")
                .failsWith(3, "pcie.completion_timeout_us=10: allowed is 0 or 50 to 64000000 us");
        run("explain write -P pcie.ber=0.1").failsWith(3, "pcie.ber=0.1", "from 0 to 0.0001");
        run("perftest write-bw --rate_limit 1e-9").failsWith(2, "--rate_limit 0.000000001 is not in 0.000001..8000");
        run("explain write -P host.numa.nic_node=5")
                .failsWith(3, "host.numa.nic_node=5", "NUMA node of the device 5 is not in 0..1");
    }

    /** A window that no list fits into any more, with nothing in it that would make a completion, would wait for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"write-bw -s 8", "write-bw -s 8 -c UC", "read-bw -s 8", "send-bw -s 8", "atomic-bw"})
    void everyDepthListAndModerationComesToItsEnd(String tool) {
        for (int depth = 1; depth <= 4; depth++) {
            for (int list = 1; list <= 4; list++) {
                for (int moderation : new int[] {1, 2, 3, 100}) {
                    String line =
                            "perftest " + tool + " -q 2 -n 7 -t " + depth + " -l " + list + " --cq-mod " + moderation;
                    assertThat(run(line + " --json").json().get("iterations").asInt())
                            .as(line)
                            .isEqualTo(7);
                }
            }
        }
    }

    @Test
    void benchPrintsItsFiguresAsADocumentToo() {
        var d = run("bench hold-64 -n 1000 --json").json();
        assertThat(d.get("schema").asText()).isEqualTo("clockwire.bench/1");
        assertThat(d.get("workload").asText()).isEqualTo("hold-64");
        assertThat(d.get("unit").asText()).isEqualTo("events/cpu_s");
        assertThat(d.get("figure").asDouble()).isPositive();
        assertThat(d.get("checksum").asText()).matches("[0-9a-f]{16}");
    }

    @Test
    void explainLeavesTheFilesOfARun() throws Exception {
        Path out = folder.resolve("out");
        String line = "explain write -s 9000 --tail -n 3 --profile article-2 -P pcie.lanes=8 --seed 7";
        run(line + " --waves --out " + out).text();
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.map(f -> f.getFileName().toString()).toList())
                    .containsExactlyInAnyOrderElementsOf(List.of(
                            "capture.pcapng",
                            "latency.hgrm",
                            "operations.json",
                            "series.csv",
                            "stats.json",
                            "timeline.perfetto-trace",
                            "waves.vcd"));
        }
        Path again = folder.resolve("again");
        String command =
                "explain write --profile article-2 -P pcie.lanes=8 -c RC -s 9000 -m 4096 -I 0 --tail -n 3 --seed 7";
        run(command + " --waves --out " + again).text();
        assertThat(out.resolve("stats.json")).content().contains("clockwire " + command);
        for (String name : List.of("capture.pcapng", "stats.json", "waves.vcd")) {
            assertThat(again.resolve(name)).hasSameBinaryContentAs(out.resolve(name));
        }
    }

    /** A variable that a script has not set is an empty word: it names no file, and is not the working directory. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "report|",
                "report|--out||r",
                "diagnose|",
                "diagnose|--before||x",
                "waves|",
                "sweep|",
                "sweep|p.yaml|--out|",
                "sweep|merge|",
                "perftest|write-lat|--out|",
                "pcap|decode|",
                "fabric|run|",
                "audit|",
                "validate|--csv|",
                "storage|run|3fs|--history|",
                "perftest|write-lat|--faults|"
            })
    void anEmptyNameOfAFileIsRefused(String line) {
        clockwire(line.split("\\|", -1)).failsWith(2, "'' is no name of a file or directory");
    }
}

package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fabric run --out}: the files of a run, and that they say what the run says. */
class FabricFolderTest {
    private static final String STAR = """
            topology: {kind: star, hosts: 4, gbps: 100, delay_us: 1}
            switches: {buffer: {mib: 1}, ecn: {kmin_kb: 20, kmax_kb: 200, pmax: 0.5}}
            hosts: {payload: 1024, dcqcn: nvidia}
            flows:
              - incast: {from: 3, to: host3, bytes: 400000}
            until_ms: 20
            """;

    @TempDir
    private Path folder;

    private JsonNode run(String out, String... more) throws IOException {
        String yaml = Files.writeString(folder.resolve("f.yaml"), STAR).toString();
        Stream<String> args = Stream.of(
                "fabric", "run", yaml, "--json", "--out", folder.resolve(out).toString());
        return clockwire(Stream.concat(args, Stream.of(more)).toArray(String[]::new))
                .json();
    }

    private static long sum(JsonNode stats, String beginning, String end) {
        long sum = 0;
        for (JsonNode s : stats.get("stats")) {
            String name = s.get("name").asText();
            sum += name.startsWith(beginning) && name.endsWith(end)
                    ? s.get("value").asLong()
                    : 0;
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"light", "hw"})
    void countersSayWhatTheRunSays(String kind) throws IOException {
        JsonNode json = run("o", "--endpoints", kind);
        JsonNode stats =
                new ObjectMapper().readTree(folder.resolve("o/stats.json").toFile());
        assertThat(stats.get("schema").asText()).isEqualTo("clockwire.stats/1");
        assertThat(stats.get("profile").asText()).isEqualTo(kind.equals("hw") ? "cx7-400g" : "light");
        assertThat(stats.get("command").asText())
                .isEqualTo("clockwire fabric run f.yaml --endpoints " + kind + " --seed 1");
        assertThat(sum(stats, "switch.port", "tx_prio3_pause"))
                .isEqualTo(json.get("pauses").asLong());
        assertThat(sum(stats, "switch.port", "_discards")).isZero();
        long marked = 0;
        for (JsonNode port : json.get("switches").get(0).get("ports")) {
            marked += port.get("ecn_marked").asLong();
        }
        assertThat(sum(stats, "switch.port", "tx_prio3_ecn_marked"))
                .isEqualTo(marked)
                .isPositive();
        assertThat(sum(stats, "switch.port3", "tx_prio3_packets"))
                .isEqualTo(json.get("data_packets").asLong());
        assertThat(sum(stats, "host", "np_ecn_marked_roce_packets")).isEqualTo(marked);
        assertThat(sum(stats, "host", "rp_cnp_handled"))
                .isEqualTo(json.get("cnps").asLong());
        assertThat(folder.resolve("o")).isDirectoryContaining("glob:**capture.pcapng");
        assertThat(Files.readString(folder.resolve("o/series.svg")))
                .startsWith("<svg")
                .endsWith("</svg>\n");
        assertThat(Files.readAllLines(folder.resolve("o/series.csv"))).hasSizeGreaterThan(10);
    }

    @Test
    void equalRunsLeaveEqualFilesHoweverManyThreads() throws IOException {
        run("a");
        run("b");
        run("c", "--threads", "2");
        for (String name : List.of("stats.json", "series.csv", "series.svg", "capture.pcapng")) {
            assertThat(folder.resolve("b").resolve(name))
                    .hasSameBinaryContentAs(folder.resolve("a").resolve(name));
        }
        assertThat(folder.resolve("c/stats.json")).hasSameBinaryContentAs(folder.resolve("a/stats.json"));
        assertThat(folder.resolve("c/capture.pcapng")).doesNotExist();
        run("d", "--runs", "3");
        assertThat(folder.resolve("d/series.csv")).hasSameBinaryContentAs(folder.resolve("a/series.csv"));
        assertThat(folder.resolve("d/capture.pcapng")).hasSameBinaryContentAs(folder.resolve("a/capture.pcapng"));
        run("a", "--threads", "2");
        assertThat(folder.resolve("a/capture.pcapng")).as("of the run before").doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1001"})
    void numbersOfRunsOutsideTheRangeAreRefused(String runs) throws IOException {
        Path yaml = folder.resolve("f.yaml");
        Files.writeString(yaml, STAR);
        clockwire("fabric", "run", yaml.toString(), "--runs", runs).failsWith(2, "--runs", runs, "1 to 1000");
    }

    /** Neither the input nor what the same run writes is overwritten, by whatever name. */
    @ParameterizedTest
    @CsvSource({
        "--series, f.yaml, --plot, p.svg, --series",
        "--series, s.csv, --plot, ../{}/f.yaml, --plot",
        "--series, same, --plot, same, --plot",
        "--capture, same, --plot, same, --plot",
        "--seed, 1, --series, no/s.csv, --series",
    })
    void noFileIsWrittenOverAnother(String first, String a, String second, String b, String blamed) throws IOException {
        Path yaml = Files.writeString(folder.resolve("f.yaml"), STAR);
        String own = folder + "/";
        String other = own + b.replace("{}", folder.getFileName().toString());
        clockwire("fabric", "run", yaml.toString(), first, a.equals("1") ? a : own + a, second, other)
                .failsWith(3, blamed);
        assertThat(yaml).hasContent(STAR);
        assertThat(folder).isDirectoryNotContaining("glob:**{same,s.csv,p.svg}");
    }

    @Test
    void aTimeBetweenLooksIsCheckedThoughNobodyLooks() throws IOException {
        Path yaml = Files.writeString(folder.resolve("f.yaml"), STAR);
        clockwire("fabric", "run", yaml.toString(), "--every", "-1").failsWith(2, "--every -1", "0.001 to 1000000 us");
    }

    /** A name may hold what separates fields. */
    @Test
    void fieldsOfTheSeriesAreQuoted() throws IOException {
        Path yaml = Files.writeString(
                folder.resolve("f.yaml"), STAR.replace("incast: {from: 3,", "incast: {name: 'a, \"b\"', from: 3,"));
        clockwire("fabric", "run", yaml.toString(), "--series", folder + "/s.csv")
                .text();
        assertThat(Files.readString(folder.resolve("s.csv"))).contains(",\"a, \"\"b\"\".0\",");
    }

    @Test
    void aRunThatFailsLeavesNoFolder() throws IOException {
        Path yaml = Files.writeString(folder.resolve("bad.yaml"), STAR.replace("host3", "host9"));
        clockwire(
                        "fabric",
                        "run",
                        yaml.toString(),
                        "--out",
                        folder.resolve("none").toString())
                .failsWith(3, "host9");
        assertThat(folder.resolve("none")).doesNotExist();
    }
}

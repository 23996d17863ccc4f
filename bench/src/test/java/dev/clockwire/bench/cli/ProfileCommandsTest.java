package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileCommandsTest {
    private static final String[] STABLE_PATHS = {
        "nic.blueflame",
        "nic.wqe.outstanding_fetches",
        "nic.dma.payload_outstanding_reads",
        "nic.core_mhz",
        "pcie.generation",
        "pcie.lanes",
        "pcie.mps",
        "pcie.mrrs",
        "link.gbps",
        "link.mtu"
    };

    private static JsonNode value(JsonNode document, String path) {
        for (JsonNode v : document.get("values")) {
            if (v.get("path").asText().equals(path)) {
                return v;
            }
        }
        throw new AssertionError(path + " is missing");
    }

    @Test
    void listNamesTheProfilesAndTheDefault() {
        assertThat(clockwire("profile", "list").text())
                .contains("article-1", "article-2", "cx5-100g", "cx6-200g")
                .containsPattern("cx7-400g .*\\(default\\)\n");
        JsonNode document = clockwire("profile", "list", "--json").json();
        List<String> names = new ArrayList<>();
        document.get("profiles").forEach(p -> names.add(p.get("name").asText()));
        assertThat(names).contains("article-1", "cx7-400g").doesNotHaveDuplicates();
    }

    @Test
    void showGivesEveryStablePathWithSourceAndConfidence() {
        JsonNode document = clockwire("profile", "show", "article-1", "--json").json();
        assertThat(document.get("schema").asText()).isEqualTo("clockwire.profile/1");
        assertThat(document.get("name").asText()).isEqualTo("article-1");
        for (String path : STABLE_PATHS) {
            JsonNode v = value(document, path);
            assertThat(v.get("source").asText()).isNotEmpty();
            assertThat(v.get("confidence").asText()).matches("[ABC]");
        }
    }

    @Test
    void valuesAreTyped() {
        JsonNode document = clockwire("profile", "show", "article-1", "--json").json();
        assertThat(value(document, "pcie.mrrs").get("value").isIntegralNumber()).isTrue();
        assertThat(value(document, "nic.blueflame").get("value").isBoolean()).isTrue();
        assertThat(value(document, "host.payload_translation_ns").get("value").isDouble())
                .isTrue();
        assertThat(value(document, "pcie.dllp").get("value").isTextual()).isTrue();
    }

    @Test
    void showAppliesOverrides() {
        assertThat(value(
                                clockwire("profile", "show", "article-1", "-P", "pcie.lanes=8", "--json")
                                        .json(),
                                "pcie.lanes")
                        .get("value")
                        .asInt())
                .isEqualTo(8);
    }

    @Test
    void showAsTextHasALineForEachParameter() {
        String text = clockwire("profile", "show", "cx7-400g").text();
        assertThat(text).startsWith("cx7-400g: ").containsPattern("\nlink.mtu +4096 +B +[ABC] +Path MTU");
    }

    @Test
    void diffShowsOnlyDifferences() {
        JsonNode document =
                clockwire("profile", "diff", "cx6-200g", "cx7-400g", "--json").json();
        assertThat(document.get("differences").toString()).contains("link.gbps").doesNotContain("nic.core_mhz");
        assertThat(clockwire("profile", "diff", "cx6-200g", "cx7-400g").text())
                .containsPattern("link.gbps +Gb/s +200 +400");
        assertThat(clockwire("profile", "diff", "cx7-400g", "cx7-400g", "--json")
                        .json()
                        .get("differences"))
                .isEmpty();
    }

    @Test
    void mistakesAreExitCode3WithTheNearestName() {
        clockwire("profile", "show", "cx6-220g").failsWith(3, "cx6-220g", "cx6-200g");
        clockwire("profile", "diff", "cx7-400g", "article1").failsWith(3, "article-1");
        clockwire("profile", "show", "cx7-400g", "-P", "nic.dma.payload_outstanding_read=4")
                .failsWith(3, "payload_outstanding_reads");
        clockwire("profile", "show", "cx7-400g", "-P", "pcie.lanes=3").failsWith(3, "pcie.lanes=3", "1, 2, 4, 8, 16");
        clockwire("profile", "shwo").failsWith(2, "shwo", "show");
    }

    /** The example of docs/profiles.md. */
    private static Path example(Path folder) throws IOException {
        String page = Files.readString(Path.of("../docs/profiles.md"));
        int from = page.indexOf("```yaml\n") + 8;
        Path file = folder.resolve("card.yaml");
        Files.writeString(file, page.substring(from, page.indexOf("```", from)));
        return file;
    }

    @Test
    void aFileIsAProfile(@TempDir Path folder) throws IOException {
        String file = example(folder).toString();
        JsonNode shown = clockwire("profile", "show", file, "--json").json();
        assertThat(shown.get("title").asText()).isEqualTo("our card, as measured in May");
        assertThat(value(shown, "nic.core_mhz").get("source").asText()).isEqualTo("RTL of May");
        assertThat(value(shown, "pcie.mps").get("source").asText()).endsWith("card.yaml:7:11");
        JsonNode differences =
                clockwire("profile", "diff", "cx6-200g", file, "--json").json();
        assertThat(differences.get("b").asText()).isEqualTo(file);
        assertThat(differences.get("differences").findValuesAsText("path"))
                .containsExactly("pcie.mps", "nic.core_mhz", "nic.dma.buffer_packets");
    }

    @Test
    void aRunOnAFileIsTheRunOfItsBaseWithItsValues(@TempDir Path folder) throws IOException {
        String file = example(folder).toString();
        String[] overrides = {
            "--profile", "cx6-200g", "-P", "nic.core_mhz=322", "-P", "nic.dma.buffer_packets=96", "-P", "pcie.mps=512"
        };
        for (String[] command : new String[][] {
            {"perftest", "write-lat", "-s", "4096", "-n", "20"},
            {"nvmf", "perf", "-o", "4096", "-q", "1", "-w", "randread", "-t", "0.003"},
            {"storage", "run", "3fs", "--ops", "4", "--size", "4096"}
        }) {
            JsonNode read = run(command, "--profile", file);
            JsonNode typed = run(command, overrides);
            assertThat(read.get("latency_us")).isEqualTo(typed.get("latency_us"));
            assertThat(read.get("profile").asText()).isEqualTo("cx6-200g");
        }
    }

    private static JsonNode run(String[] command, String... more) {
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of(more));
        line.add("--json");
        return clockwire(line.toArray(String[]::new)).json();
    }

    @Test
    void aBadFileIsRefusedWithAllThatIsWrong(@TempDir Path folder) throws IOException {
        Path bad = folder.resolve("bad.yaml");
        Files.writeString(bad, "nic:\n  core_mhz: x\n  bluflame: true\n");
        assertThat(clockwire("perftest", "write-lat", "--profile", bad.toString())
                        .mistakes(ExitCode.INPUT))
                .hasSize(2)
                .allMatch(line -> line.startsWith("clockwire: " + bad + ":"));
        String none = folder.resolve("none.yaml").toString();
        clockwire("perftest", "write-lat", "--profile", none).failsWith(ExitCode.INPUT, "none.yaml: no such file");
        clockwire("perftest", "write-lat", "--profile", "cx7-400").failsWith(ExitCode.INPUT, "did you mean cx7-400g?");
    }

    @Test
    void faultsAndFabricsTellAllTheirMistakesToo(@TempDir Path folder) throws IOException {
        Path faults = folder.resolve("f.yaml");
        Files.writeString(
                faults, "faults:\n  - {drap: frame, frames: [3]}\n  - {drop: frame, probability: 7, fromes: 3}\n");
        assertThat(clockwire("perftest", "write-lat", "--faults", faults.toString())
                        .mistakes(ExitCode.INPUT))
                .hasSize(3);
        Path fabric = folder.resolve("n.yaml");
        Files.writeString(fabric, """
            topology: {kind: star, hosts: 900000000, hats: 2}
            until_ms: -1
            flows:
              - {from: host0, to: host1, bytes: 5, pieces: 2}
            """);
        assertThat(clockwire("fabric", "run", fabric.toString()).mistakes(ExitCode.INPUT))
                .hasSizeGreaterThan(2);
    }

    @Test
    void theSchemaIsPrinted() {
        assertThat(clockwire("profile", "schema").json().get("$defs").has("nic.core_mhz"))
                .isTrue();
    }
}

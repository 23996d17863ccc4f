package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.bench.catalogue.Scenario;
import dev.clockwire.bench.catalogue.Scenarios;
import dev.clockwire.bench.fabric.FabricFile;
import dev.clockwire.bench.fault.FaultFile;
import dev.clockwire.bench.fault.FaultPlaces;
import dev.clockwire.bench.sweep.PlanFile;
import dev.clockwire.bench.yaml.Mutants;
import dev.clockwire.bench.yaml.SchemaCheck;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schemas accept what ships, and refuse what the readers do: both are made from one description. */
class SchemaCommandTest {
    private static final Path DOCS = Path.of("../docs");
    private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder;

    private static JsonNode schema(String kind) {
        return clockwire("schema", kind).json();
    }

    /** All YAML files of docs and of the catalogue of scenarios, and all YAML in pages, that have a key. */
    private static Map<String, String> shipped(String key) throws IOException {
        Map<String, String> found = new TreeMap<>();
        for (Scenario scenario : Scenarios.all()) {
            for (boolean cured : new boolean[] {false, true}) {
                if (scenario.hasFile() && scenario.fileText(cured).lines().anyMatch(l -> l.startsWith(key + ":"))) {
                    found.put(scenario.file(cured), scenario.fileText(cured));
                }
            }
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(DOCS)) {
            files = all.filter(f -> f.toString().matches(".*\\.(md|ya?ml)"))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            String text = Files.readString(file);
            List<String> documents = new ArrayList<>();
            if (file.toString().endsWith(".md")) {
                Matcher m = BLOCK.matcher(text);
                while (m.find()) {
                    documents.add(m.group(1));
                }
            } else {
                documents.add(text);
            }
            for (String d : documents) {
                if (d.lines().anyMatch(l -> l.startsWith(key + ":"))) {
                    found.put(file + "#" + found.size(), d);
                }
            }
        }
        return found;
    }

    private interface Reading {
        void read(String text) throws IOException;
    }

    private static boolean accepts(Reading reader, JsonNode document) throws IOException {
        try {
            reader.read(document.toString());
            return true;
        } catch (ConfigurationException | CliException e) {
            return false;
        }
    }

    /** Returns how many changed documents were looked at. */
    private static int agree(String kind, Map<String, String> documents, String free, Reading reader)
            throws IOException {
        JsonNode schema = schema(kind);
        int looked = 0;
        for (Map.Entry<String, String> one : documents.entrySet()) {
            JsonNode document = SchemaCheck.yaml(one.getValue());
            assertThat(SchemaCheck.accepts(schema, document)).as(one.getKey()).isTrue();
            if (!accepts(reader, document)) {
                continue; // it names files that are not here, or is of another simulation
            }
            for (Mutants.Mutant m : Mutants.of(document, free)) {
                looked++;
                assertThat(SchemaCheck.accepts(schema, m.document()))
                        .as("%s of %s", m.what(), one.getKey())
                        .isEqualTo(accepts(reader, m.document()));
            }
        }
        return looked;
    }

    @Test
    void fabrics() throws IOException {
        Map<String, String> documents = shipped("flows");
        documents.put("of everything", """
            name: all
            framing: ethernet
            nodes: {hosts: [a, b, c], switches: [s]}
            links:
              - {between: [a, s], gbps: 100, delay_us: 1, loss: 0.01}
              - {between: [b, s], gbps: 100, delay_us: 1}
              - {between: [c, s], gbps: 100, delay_us: 1}
            switches:
              latency_ns: 300
              cut_through: false
              buffer: {mib: 32, cell: 256, reserve: 1K, resume_offset: 3000, lossy_reserve: 0, lossy_alpha: 0.5}
              alpha: 0.125
              headroom_bytes: 100000
              pfc: {classes: [3], quanta: 65535, expires: true, whole_link: false}
              ecn: {kmin_kb: 100, kmax_kb: 400, pmax: 0.2, weight: 0, at: enqueue, classes: 3}
              scheduling: {strict: [6], dwrr: {3: 1, 0: 2}}
              watchdog: {detect_ms: 10, restore_ms: 20, action: drop}
              mtu: 4200
              deny_udp: [4800]
            hosts:
              payload: 1024
              header_bytes: 60
              answer_bytes: 64
              ack_every: 4
              priority: 3
              pfc: [3]
              answer_priority: 6
              dcqcn: paper
              cnp: {interval_us: 50, per: flow, latency_us: 1, in_acks: false}
              recovery: go-back-n
              nak_us: 1
              timeout_us: 1000
              retries: 7
              window_kb: 200
              nic: {a: {pcie.lanes: 8}}
            dcbx: {interval_s: 30, hold: 4, fast_s: 1, fast_frames: 4, hosts: willing, switches: {s: fixed}}
            flows:
              - {name: f, from: a, to: b, bytes: 1M, start_us: 3, priority: 3}
              - incast: {name: i, from: 2, to: c, bytes: 1000}
              - permutation: {bytes: 2000, priority: 3}
              - poisson: {load: 0.1, bytes: 1000, start_us: 1, until_us: 30}
            faults:
              - {pause: a, at_us: 3, for_us: 1}
            until_ms: 10
            """);
        for (String topology : List.of(
                "kind: back-to-back, gbps: 10",
                "kind: star, hosts: 3",
                "kind: dumbbell, left: 1, right: 2, up_gbps: 40, delay_us: 2",
                "kind: parking-lot, switches: 2, hosts: 1",
                "kind: ring, switches: 3, hosts: 1",
                "kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, up_gbps: 40")) {
            documents.put(topology, "topology: {" + topology + "}\nflows: [{from: host0, to: host1, bytes: 1000}]\n");
        }
        Path file = folder.resolve("fabric.yaml");
        int looked =
                agree("fabric", documents, "nic|config|a", text -> FabricFile.read(Files.writeString(file, text), 1));
        assertThat(looked).isGreaterThan(500);
    }

    @Test
    void faults() throws IOException {
        Map<String, String> documents = shipped("faults");
        documents.values().removeIf(d -> d.contains("flows:"));
        int looked =
                agree("faults", documents, "name", text -> FaultFile.parse("f.yaml", text, FaultPlaces.twoHosts()));
        assertThat(looked).isGreaterThan(100);
    }

    @Test
    void sweeps() throws IOException {
        Map<String, String> documents = shipped("command");
        documents.put("drawn", """
            command: perftest write-lat -n 5
            random: {samples: 3, s: {integer: [1, 100]}, t: {choice: [1, 2]}}
            repeat: 2
            seed: 7
            measure: [latency.median_us]
            """);
        Path file = folder.resolve("plan.yaml");
        JsonNode schema = schema("sweep");
        for (Map.Entry<String, String> one : documents.entrySet()) {
            assertThat(SchemaCheck.accepts(schema, SchemaCheck.yaml(one.getValue())))
                    .as(one.getKey())
                    .isTrue();
        }
        int looked = agree(
                "sweep",
                documents,
                "grid|list|command|s|t|choice|measure",
                text -> PlanFile.read(Files.writeString(file, text), SweptCommandLine::of));
        assertThat(looked).isGreaterThan(10);
    }

    @Test
    void otherKindsAreRefused() {
        clockwire("schema", "fabirc").failsWith(ExitCode.USAGE, "did you mean fabric?");
        assertThat(schema("profile")).isEqualTo(clockwire("profile", "schema").json());
        assertThat(schema("setup").get("title").asText()).contains("set-up");
    }
}

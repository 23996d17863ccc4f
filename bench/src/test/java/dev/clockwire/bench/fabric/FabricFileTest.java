package dev.clockwire.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FabricFileTest {
    private static final String GOOD = """
        name: two racks
        topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 3, gbps: 100, up_gbps: 200, delay_us: 0.5}
        switches:
          latency_ns: 200
          buffer: {mib: 2, cell: 64}
          alpha: 0.25
          pfc: {classes: [3], quanta: 1000}
          ecn: {kmin_kb: 100, kmax_kb: 400, pmax: 0.2}
          scheduling: {strict: 6, dwrr: {3: 50, 0: 25}}
          watchdog: {detect_ms: 200, action: forward}
        hosts: {payload: 4096, dcqcn: nvidia, cnp: {interval_us: 4}, recovery: selective}
        flows:
          - {name: a, from: host0, to: host5, bytes: 1000000}
          - incast: {from: 3, to: host4, bytes: 300000, start_us: 5}
          - permutation: {bytes: 50000}
          - poisson: {load: 0.2, bytes: 20000, until_us: 100}
        until_ms: 50
        """;

    @TempDir
    private Path folder;

    private FabricJob read(String text) throws IOException {
        return FabricFile.read(Files.writeString(folder.resolve("f.yaml"), text), 1);
    }

    @Test
    void aFileIsRead() throws IOException {
        FabricJob job = read(GOOD);
        assertThat(job.name()).isEqualTo("two racks");
        assertThat(job.untilPs()).isEqualTo(50_000_000_000L);
        assertThat(job.network().topology().hosts()).hasSize(6);
        assertThat(job.network().topology().cables()).hasSize(10);
        assertThat(job.network().bridge().quanta()).containsExactly(40_000, 1600, 1600, 80_000, 1600, 1600, 0, 1600);
        assertThat(job.network().flows()).hasSizeGreaterThan(20);
        FabricResult result = new FabricRun(job, SimSpec.of(1)).run();
        assertThat(result.flows()).allMatch(f -> f.status().equals("success"));
        assertThat(result.drops()).isZero();
    }

    /** Neither reader tells of buffers inside the library. */
    @Test
    void whatIsNoTextIsNamed() throws IOException {
        Path binary = Files.write(folder.resolve("b.yaml"), new byte[] {(byte) 0xFF, (byte) 0xFE, 0, 1});
        assertThatThrownBy(() -> FabricFile.read(binary, 1))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("b.yaml: is no text in UTF-8");
        assertThatThrownBy(() -> TraceFile.read(binary))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("b.yaml: is no text in UTF-8");
    }

    @Test
    void eachFlowTellsWhatIsWrongWithIt() {
        String wrong = """
            topology: {kind: star, hosts: 4}
            flows:
              - {from: host0, to: host9, bytes: 1MB}
              - {from: host1, to: host2, byts: 1000}
              - {from: host1, to: host2, bytes: 1000}
              - incast: {from: [host1, host7], to: host2, bytes: 1000}
            """;
        assertThatThrownBy(() -> read(wrong))
                .hasMessageContainingAll(
                        ":3:23: unknown host 'host9'; did you mean host0?",
                        ":4:30: unknown key 'byts'; did you mean bytes?",
                        ":6:28: unknown host 'host7'; did you mean host0?");
    }

    @Test
    void aTopologyWithoutKindIsToldTheKinds() {
        assertThatThrownBy(() -> read("topology: {star: 4}\nflows: []\n"))
                .hasMessageEndingWith(
                        ":1:11: 'kind' is missing; a kind of topology is one of back-to-back, star, dumbbell,"
                                + " parking-lot, leaf-spine, ring");
    }

    @Test
    void aPlaceInAFolderWithBlanksIsToldOnce() throws IOException {
        Path file = Files.writeString(
                Files.createDirectory(folder.resolve("my fabrics")).resolve("f.yaml"),
                "topology: {kind: star, hosts: 4}\nflows:\n  - {from: host0, to: host9, bytes: 1}\n");
        assertThatThrownBy(() -> FabricFile.read(file, 1))
                .hasMessage(file + ":3:23: unknown host 'host9'; did you mean host0?");
    }

    @Test
    void sameSeedSameTrafficOtherSeedOther() throws IOException {
        Path file = Files.writeString(folder.resolve("g.yaml"), GOOD);
        assertThat(FabricFile.read(file, 5).network().flows())
                .isEqualTo(FabricFile.read(file, 5).network().flows());
        assertThat(FabricFile.read(file, 5).network().flows())
                .isNotEqualTo(FabricFile.read(file, 6).network().flows());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "back-to-back",
                "star, hosts: 4",
                "dumbbell, left: 2, right: 2",
                "parking-lot, switches: 3, hosts: 1",
                "ring, switches: 3, hosts: 1"
            })
    void everyKindOfTopologyRuns(String kind) throws IOException {
        FabricJob job = read("topology: {kind: " + kind + "}\nflows:\n  - {from: host1, to: host0, bytes: 100000}\n");
        assertThat(new FabricRun(job, SimSpec.of(1)).run().flows().get(0).status())
                .isEqualTo("success");
    }

    /** What is replaced in the good file, by what, and what is said. A bar stands for a comma. */
    @ParameterizedTest
    @CsvSource({
        "leaves: 2, leafs: 2, 2:30: unknown key 'leafs'; did you mean leaves?",
        "kind: leaf-spine, kind: clos, 2:18: unknown kind of topology 'clos'",
        "hosts: 3, hosts: 0, 2:59: 0 is outside its range 1 to 100000",
        "gbps: 100, gbps: 0, outside its range",
        "delay_us: 0.5, delay_us: -1, outside its range",
        "mib: 2, mib: 0.1, 8:32: 400 is outside its range 0 to 104.858",
        "alpha: 0.25, alpha: 0.3, no power of two",
        "kmax_kb: 400, kmax_kb: 40, Kmax in bytes 40000 is not in 100000..",
        "pmax: 0.2, pmax: 20, 20 is outside its range 0 to 1",
        "classes: [3], classes: [8], 8 is outside its range 0 to 7",
        "action: forward, action: cut, unknown action 'cut'",
        "dcqcn: nvidia, dcqcn: swift, unknown preset of DCQCN 'swift'",
        "to: host5, to: host55, 13:32: unknown host 'host55'; did you mean host5?",
        "from: host0, from: host5, from host 5 to host 5",
        "name: a, name: permutation4.1, 15:5: two flows are called permutation4.1",
        "name: a, name: '', 13:12: '' is no name",
        "up_gbps: 200, left: 200, 2:73: unknown key 'left'",
        "leaves: 2, leaves: 99999, 2:11: this has 499995 links or more: 100000 are the most",
        "delay_us: 0.5, delay_us: 1e6, 5:11: leaf0: switch buffer of 2097152 B: reserves and headrooms of 5 ports",
        "cell: 64, resume_offset: 2097153, 5:35: 2097153 is outside its range 0 to 2097152",
        "kmin_kb: 100, kmin_kb: 2098, 8:18: 2098 is outside its range 0 to 2097.152",
        "strict: 6, strict: 3, 9:37: class 3 is strict already",
        "gbps: 100, gbps: 0.0001, outside its range 0.001 to 8000",
        "until_us: 100, start_us: 60000, random flows that begin at 60000 us and end before",
        "from: 3, from: 6, 6 is outside its range 1 to 5",
        "load: 0.2, load: 0, outside its range",
        "until_ms: 50, until: 50, unknown key 'until'",
        "recovery: selective, recovery: magic, unknown recovery 'magic'",
        "hosts: 3, host: 3, unknown key 'host'; did you mean hosts?",
    })
    void whatIsWrongIsSaidWithItsPlace(String good, String bad, String said) throws IOException {
        assertThat(GOOD).contains(good);
        Path file = Files.writeString(folder.resolve("bad.yaml"), GOOD.replace(good, bad));
        assertThatThrownBy(() -> new FabricRun(FabricFile.read(file, 1), SimSpec.of(1)).run())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(said);
    }

    @Test
    void nodesAndLinksCanBeDrawnByHand() throws IOException {
        String drawn = """
            nodes: {hosts: [a, b], switches: [s]}
            links:
              - {between: [a, s], gbps: 100, delay_us: 1}
              - {between: [s, b], gbps: 25, delay_us: 1, loss: 0.001}
            hosts: {timeout_us: 100}
            flows:
              - {from: a, to: b, bytes: 5000000}
            """;
        FabricResult result = new FabricRun(read(drawn), SimSpec.of(1)).run();
        assertThat(result.flows().get(0).status()).isEqualTo("success");
        assertThat(result.flows().get(0).retransmissions()).isPositive();
        String islands = drawn.replace("hosts: [a, b], switches: [s]", "hosts: [a, b, c], switches: [s, t]")
                .replace("[s, b]", "[t, b]")
                .replace("links:\n", "links:\n  - {between: [t, c], gbps: 1, delay_us: 1}\n");
        assertThatThrownBy(() -> read(islands)).hasMessageContaining("8:5: flow flow0: no way from a to b");
        assertThatThrownBy(() -> read(drawn.replace("[s, b]", "[s, c]"))).hasMessageContaining("no node is called c");
        assertThatThrownBy(() -> read(drawn.replace("  - {between: [a, s], gbps: 100, delay_us: 1}\n", "")))
                .hasMessageContaining("host a has 0 links");
    }

    /** Its last answers come when the flow has been given up: it stays so, and others go on. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2000, 3000, 50_000})
    void whatIsAnsweredTooLateHasFailed(int bytes) throws IOException {
        String text = """
            nodes: {hosts: [a, b, c], switches: [s]}
            links:
              - {between: [a, s], gbps: 100, delay_us: 0.1}
              - {between: [b, s], gbps: 100, delay_us: 0.1}
              - {between: [c, s], gbps: 100, delay_us: 5}
            hosts: {timeout_us: 2, retries: 1, dcqcn: off, ack_every: 4}
            flows:
              - {from: a, to: b, bytes: 200000}
              - {from: a, to: c, bytes: %d}
            """.formatted(bytes);
        FabricResult result = new FabricRun(read(text), SimSpec.of(1)).run();
        assertThat(result.flows().stream().map(FabricResult.Flow::status)).containsExactly("success", "retry-exceeded");
        assertThat(result.flows().get(1).fctUs()).isNull();
        assertThat(result.flows().get(1).goodputGbps()).isZero();
    }

    @Test
    void sizesComeFromAFile() throws IOException {
        Files.writeString(folder.resolve("web.txt"), "# bytes share\n1000 0\n10000 50\n1000000 100\n");
        String text =
                "topology: {kind: star, hosts: 4}\nflows:\n  - poisson: {load: 0.5, sizes: web.txt, until_us: 2000}\n";
        FabricJob job = read(text);
        double mean = job.network().flows().stream()
                .mapToLong(f -> f.bytes())
                .average()
                .orElse(0);
        assertThat(job.network().flows()).hasSizeBetween(110, 260);
        assertThat(mean).isBetween(150_000.0, 360_000.0);
        Files.writeString(folder.resolve("web.txt"), "1000 0\n10 50\n100 100\n");
        assertThatThrownBy(() -> read(text)).hasMessageContaining("web.txt").hasMessageContaining("does not ascend");
        Files.writeString(folder.resolve("web.txt"), "-5 0\n10 100\n");
        assertThatThrownBy(() -> read(text)).hasMessageContaining("web.txt:1: expected bytes (0 to 2^50) and a share");
        assertThatThrownBy(() -> read(text.replace("web.txt", "no.txt")))
                .hasMessageContaining("3:33: cannot read no.txt");
    }
}

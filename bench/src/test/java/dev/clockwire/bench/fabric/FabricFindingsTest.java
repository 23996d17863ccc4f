package dev.clockwire.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.SimSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run says of its settings, and what a file's values mean. */
class FabricFindingsTest {
    private static final String STAR = """
            topology: {kind: star, hosts: 9, gbps: 100, delay_us: 0.5}
            switches: SWITCHES
            hosts: HOSTS
            flows:
              - incast: {from: 8, to: host8, bytes: 400000}
            until_ms: 20
            """;
    private static final String MARKS = "{buffer: {mib: 32}, ecn: {kmin_kb: 20, kmax_kb: 80, pmax: 0.2}}";

    @TempDir
    private Path dir;

    private FabricJob job(String switches, String hosts) throws IOException {
        String text = STAR.replace("SWITCHES", switches).replace("HOSTS", hosts);
        return FabricFile.read(Files.writeString(dir.resolve("f.yaml"), text), 1);
    }

    private FabricResult run(String switches, String hosts) throws IOException {
        return new FabricRun(job(switches, hosts), SimSpec.of(1)).run();
    }

    private static List<String> rules(FabricResult result) {
        return result.findings().stream().map(FabricResult.Finding::rule).toList();
    }

    @Test
    void hostsWithoutDcqcnSendNoNotifications() throws IOException {
        FabricResult off = run(MARKS, "{dcqcn: off}");
        assertThat(off.switches().get(0).ports()).anyMatch(p -> p.ecnMarked() > 0);
        assertThat(off.cnps()).isZero();
        FabricResult asked = run(MARKS, "{dcqcn: off, cnp: {interval_us: 10}}");
        assertThat(asked.cnps()).as("who asks for them gets them").isPositive();
        assertThat(run(MARKS, "{dcqcn: paper}").cnps()).isPositive();
    }

    @Test
    void notificationsInTheClassOfDataAreAFinding() throws IOException {
        FabricResult same = run(MARKS, "{answer_priority: 3}");
        assertThat(same.findings())
                .filteredOn(f -> f.rule().equals("cnp-in-data-class"))
                .singleElement()
                .satisfies(f -> assertThat(f.text()).contains("8 flows are in class 3"));
        assertThat(rules(run(MARKS, "{}"))).doesNotContain("cnp-in-data-class");
        assertThat(rules(run(MARKS, "{answer_priority: 3, dcqcn: off}"))).doesNotContain("cnp-in-data-class");
    }

    @Test
    void lossesInAClassWithoutPausesAreAFinding() throws IOException {
        FabricResult lossy = run("{buffer: {mib: 0.5}, pfc: {classes: []}}", "{dcqcn: off}");
        assertThat(lossy.drops()).isPositive();
        assertThat(lossy.findings())
                .filteredOn(f -> f.rule().equals("lossy-loss"))
                .singleElement()
                .satisfies(f -> {
                    assertThat(f.text())
                            .startsWith(lossy.drops() + " frames of class 3, which has no PFC, found no room");
                    assertThat(f.where()).startsWith("switch->host");
                });
    }

    /** The vendor's alpha has fallen to 0 when the next notification comes: the queue grows although senders are told. */
    @ParameterizedTest
    @CsvSource({"HW, nvidia", "LIGHT, nvidia"})
    void marksThatDoNotHelpAreAFinding(EndpointKind kind, String preset) throws IOException {
        FabricJob job = job(MARKS, "{payload: 4096, dcqcn: " + preset + "}");
        FabricResult result = new FabricRun(job, SimSpec.of(1))
                .endpoints(kind, Profiles.named("cx6-200g"), UnaryOperator.identity())
                .run();
        assertThat(result.findings())
                .filteredOn(f -> f.rule().equals("marks-did-not-help"))
                .singleElement()
                .satisfies(f -> {
                    assertThat(f.where()).isEqualTo("switch->host8");
                    assertThat(f.text())
                            .contains("twice the Kmax of 80000 B")
                            .contains(result.cnps() + " notifications");
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "64K | 65536",
                "64KiB | 65536",
                "64kB | 64000",
                "10MB | 10000000",
                "1M | 1048576",
                "1.5M | 1572864",
                "0.5 GiB | 536870912",
                "3000 | 3000",
                "0x10 | 16"
            })
    void sizesHaveUnits(String text, long bytes) throws IOException {
        Path file = Files.writeString(dir.resolve("s.yaml"), """
                topology: {kind: star, hosts: 2}
                flows: [{from: host0, to: host1, bytes: SIZE}]
                """.replace("SIZE", text));
        assertThat(FabricFile.read(file, 1).network().flows().get(0).bytes()).isEqualTo(bytes);
        assertThat(job("{buffer: {bytes: 16M, reserve: 4K}, headroom_bytes: 100K}", "{}")
                        .network()
                        .bridge()
                        .buffer())
                .satisfies(b -> {
                    assertThat(b.bytes()).isEqualTo(16 << 20);
                    assertThat(b.reserve()).isEqualTo(4096);
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0.3K | 0.3K, 307.2 B, is outside its range",
                "9999999G | is outside its range 1 to 1125899906842624 B",
                "64Q | expected an integer, found '64Q'",
                "-1K | expected an integer, found '-1K'"
            })
    void whatIsNoSizeIsRefused(String text, String says) throws IOException {
        Path file = Files.writeString(dir.resolve("s.yaml"), """
                topology: {kind: star, hosts: 2}
                flows: [{from: host0, to: host1, bytes: SIZE}]
                """.replace("SIZE", text));
        assertThatThrownBy(() -> FabricFile.read(file, 1))
                .hasMessageContaining("s.yaml:2:")
                .hasMessageContaining(says);
    }

    /** Who waits is told how far the run is; a short run says nothing. */
    @Test
    void aLongRunTellsHowFarItIs() throws IOException {
        List<String> told = new ArrayList<>();
        FabricJob job = job(MARKS, "{}");
        FabricResult quiet = new FabricRun(job, SimSpec.of(1)).told(told::add).run();
        assertThat(told).isEmpty();
        FabricResult loud = new FabricRun(job, SimSpec.of(1)).told(told::add, 0).run();
        assertThat(told)
                .isNotEmpty()
                .allMatch(l ->
                        l.matches("\\d+\\.\\d\\d ms of at most 20 ms simulated in \\d+ s, [0-8] of 8 flows ended"));
        assertThat(told.get(told.size() - 1)).endsWith("8 of 8 flows ended");
        assertThat(loud.traceHash()).isEqualTo(quiet.traceHash());
    }

    @Test
    void twoSwitchesAreNoRing() throws IOException {
        Path file = Files.writeString(dir.resolve("r.yaml"), """
                topology: {kind: ring, switches: 2, hosts: 1}
                flows: [{from: host0, to: host1, bytes: 1}]
                """);
        assertThatThrownBy(() -> FabricFile.read(file, 1))
                .hasMessageContaining("r.yaml:1:")
                .hasMessageContaining("2 switches are no circle: a ring has 3 or more; for two there is kind dumbbell");
    }
}

package dev.clockwire.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.SimSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Settings that go over the lines of a fabric by DCBX: who takes them over loses nothing. */
class DcbxRunTest {
    /** Hosts whose NICs obey no pause unless they are told to. */
    private static final String STAR = """
            topology: {kind: star, hosts: 9, gbps: 100, delay_us: 0.5}
            switches: {buffer: {mib: 0.5}}
            hosts: {payload: 1024, dcqcn: off, pfc: []}
            dcbx: DCBX
            flows:
              - incast: {from: 8, to: host8, bytes: 200000}
            until_ms: 20
            """;

    @TempDir
    private Path dir;

    private FabricJob job(String dcbx) throws IOException {
        return FabricFile.read(Files.writeString(dir.resolve("f.yaml"), STAR.replace("DCBX", dcbx)), 1);
    }

    private FabricResult run(String dcbx) throws IOException {
        return new FabricRun(job(dcbx), SimSpec.of(1)).run();
    }

    private static List<String> rules(FabricResult result) {
        return result.findings().stream().map(FabricResult.Finding::rule).toList();
    }

    @Test
    void aWillingHostTakesThePausesOfItsSwitchOver() throws IOException {
        FabricResult deaf = run("off");
        assertThat(deaf.drops()).isPositive();
        assertThat(rules(deaf)).containsOnly("pause-not-obeyed");
        FabricResult willing = run("on");
        assertThat(willing.drops()).isZero();
        assertThat(willing.pauses()).isPositive();
        assertThat(willing.findings()).isEmpty();
        FabricResult fixed = run("{hosts: fixed}");
        assertThat(fixed.drops()).isPositive();
        assertThat(rules(fixed)).contains("dcbx-mismatch");
        assertThat(fixed.findings().toString()).contains("pfc priorities", "and 6 more");
        FabricResult mute = run("{hosts: silent}");
        assertThat(rules(mute)).contains("dcbx-silent");
        assertThat(mute.traceHash())
                .as("frames to nobody take their time on the line")
                .isNotEqualTo(deaf.traceHash());
        FabricResult none = run("{hosts: silent, switches: silent}");
        assertThat(none.traceHash()).isEqualTo(deaf.traceHash());
        assertThat(none.events()).isEqualTo(deaf.events());
    }

    @Test
    void oneHostOfNineDoesNotSpeak() throws IOException {
        FabricResult result = run("{interval_s: 5, hold: 2, hosts: {host3: silent}}");
        assertThat(result.drops()).isPositive();
        assertThat(result.findings())
                .filteredOn(f -> f.rule().equals("dcbx-silent"))
                .singleElement()
                .satisfies(f -> assertThat(f.where()).isEqualTo("host3-switch (host3)"));
        assertThat(result.findings())
                .filteredOn(f -> f.rule().equals("pause-not-obeyed"))
                .allMatch(f -> f.where().contains("host3"));
    }

    /** Switches that are willing and hosts that are not: the switch pauses what the hosts have. */
    @Test
    void aWillingSwitchTakesOverWhatHostsHave() throws IOException {
        FabricResult off = run("{hosts: fixed, switches: willing}");
        assertThat(off.pauses()).as("no host has PFC: none is paused").isZero();
        assertThat(off.drops()).isPositive();
        assertThat(rules(off)).doesNotContain("dcbx-mismatch");
    }

    @Test
    void aCableThatLosesAllFramesOfLldpIsNamed() throws IOException {
        Path file = Files.writeString(dir.resolve("g.yaml"), """
                nodes: {hosts: [a, b], switches: [s]}
                links:
                  - {between: [a, s], gbps: 100, delay_us: 1, loss: 1}
                  - {between: [b, s], gbps: 100, delay_us: 1}
                dcbx: on
                flows: [{from: a, to: b, bytes: 1000}]
                until_ms: 5
                """);
        FabricResult result = new FabricRun(FabricFile.read(file, 1), SimSpec.of(1)).run();
        assertThat(result.findings().stream().map(FabricResult.Finding::where).toList())
                .contains("a-s (a), a-s (s)");
        assertThat(rules(result)).contains("dcbx-unheard");
    }

    /** Half of the frames of a cable are lost, and each holds for 2 s: now and then an end forgets the other. */
    @Test
    void aNeighbourThatIsForgottenIsNamed() throws IOException {
        Path file = Files.writeString(dir.resolve("h.yaml"), """
                nodes: {hosts: [a, b, c], switches: [s]}
                links:
                  - {between: [a, s], gbps: 100, delay_us: 1, loss: 0.7}
                  - {between: [b, s], gbps: 100, delay_us: 1}
                  - {between: [c, s], gbps: 100, delay_us: 1}
                dcbx: {interval_s: 1, hold: 1}
                flows: [{from: b, to: c, bytes: 1000, start_us: 9.5e6}]
                until_ms: 9600
                """);
        TreeSet<String> rules = new TreeSet<>();
        for (long seed = 1; seed <= 2; seed++) {
            FabricResult result = new FabricRun(FabricFile.read(file, 1), SimSpec.of(seed)).run();
            assertThat(result.flows().get(0).status()).isEqualTo("success");
            assertThat(result.findings())
                    .allMatch(f -> f.where().contains("a-s") && f.text().contains("loses frames"));
            rules.addAll(rules(result));
        }
        assertThat(rules).contains("dcbx-expired");
    }

    @ParameterizedTest
    @EnumSource(EndpointKind.class)
    void everyKindOfHostObeysWhatWasAgreed(EndpointKind kind) throws IOException {
        FabricRun run = new FabricRun(job("on"), SimSpec.of(1))
                .endpoints(kind, Profiles.named("cx6-200g"), UnaryOperator.identity());
        FabricResult result = run.run();
        assertThat(result.drops()).isZero();
        assertThat(result.flows()).allMatch(f -> f.status().equals("success"));
        var stats = Objects.requireNonNull(run.stats());
        assertThat(stats.value("lldp.host0.pfc_enabled")).isEqualTo(1 << 3);
        assertThat(stats.value("lldp.switch.port0.rx_frames")).isEqualTo(2);
        FabricResult fixed = new FabricRun(job("{hosts: fixed}"), SimSpec.of(1))
                .endpoints(kind, Profiles.named("cx6-200g"), UnaryOperator.identity())
                .run();
        assertThat(fixed.drops()).isPositive();
        assertThat(rules(fixed)).contains("dcbx-mismatch");
    }

    /** Pauses of the whole link are no matter of DCBX: they work as before. */
    @ParameterizedTest
    @EnumSource(EndpointKind.class)
    void pausesOfTheWholeLinkAreNotAgreedOn(EndpointKind kind) throws IOException {
        String text = STAR.replace("mib: 0.5}}", "mib: 0.5}, pfc: {whole_link: true}}")
                .replace("pfc: []", "pfc: [0, 1, 2, 3, 4, 5, 6, 7]");
        for (String dcbx : List.of("off", "on")) {
            Path file = Files.writeString(dir.resolve("w.yaml"), text.replace("DCBX", dcbx));
            FabricResult result = new FabricRun(FabricFile.read(file, 1), SimSpec.of(1))
                    .endpoints(kind, Profiles.named("cx6-200g"), UnaryOperator.identity())
                    .run();
            assertThat(result.drops()).as(dcbx).isZero();
            assertThat(result.pauses()).as(dcbx).isPositive();
        }
    }

    @Test
    void threadsAreInvisible() throws IOException {
        FabricResult one = run("on");
        FabricResult two = new FabricRun(job("on"), SimSpec.of(1)).threads(2).run();
        assertThat(two.traceHash()).isEqualTo(one.traceHash());
        assertThat(two.drops()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maybe | expected true or false, found 'maybe'",
                "{hold: 0} | 0 is outside its range 1 to 100",
                "{interval_s: 3601} | 3601 is outside its range 1 to 3600",
                "{fast_s: 0.5} | expected an integer",
                "{fast_frames: 9} | 9 is outside its range 1 to 8",
                "{hosts: wiling} | willing",
                "{hosts: {host77: fixed}} | host7",
                "{switch: fixed} | switches"
            })
    void whatMakesNoSenseIsRefusedWithItsPlace(String dcbx, String says) {
        assertThatThrownBy(() -> job(dcbx)).hasMessageContaining("f.yaml:4:").hasMessageContaining(says);
    }
}

package dev.clockwire.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The same fabric with light hosts, with software devices, and with whole NICs. */
class EndpointsTest {
    private static final String STAR = """
            topology: {kind: star, hosts: 4, gbps: 100, delay_us: 1}
            switches: {buffer: {mib: 2}SWITCH}
            hosts: {payload: 1024, dcqcn: off HOSTS}
            flows:
              - {from: host0, to: host3, bytes: 1000000}
              - {from: host1, to: host3, bytes: 1000000}
              - {from: host2, to: host3, bytes: 1000000, start_us: 20}
            until_ms: 20
            """;

    @TempDir
    private Path folder;

    private FabricJob job(String switches, String hosts) throws IOException {
        String text = STAR.replace("SWITCH", switches).replace("HOSTS", hosts);
        return FabricFile.read(Files.writeString(folder.resolve("f.yaml"), text), 1);
    }

    private static FabricRun run(FabricJob job, EndpointKind kind) {
        return new FabricRun(job, SimSpec.of(1)).endpoints(kind, Profiles.named("cx7-400g"), UnaryOperator.identity());
    }

    /** 3 x 977 packets of 1,122 bytes on the line keep the bottleneck busy for 263 us. */
    @ParameterizedTest
    @EnumSource
    void whateverHostsAreTheBottleneckIsBusyAndNothingIsLost(EndpointKind kind) throws IOException {
        FabricResult result = run(job("", ""), kind).run();
        assertThat(result.flows()).allMatch(f -> f.status().equals("success") && f.retransmissions() == 0);
        assertThat(result.drops()).isZero();
        assertThat(result.pauses()).isPositive();
        double last = result.flows().stream()
                .mapToDouble(f -> f.fctUs() == null ? 0 : f.fctUs())
                .max()
                .orElse(0);
        assertThat(last).isBetween(225.0, 275.0);
        assertThat(result.dataPackets()).isBetween(3 * 977L, 3 * 1000L);
        assertThat(run(job("", ""), kind).run().traceHash()).isEqualTo(result.traceHash());
    }

    @ParameterizedTest
    @CsvSource({"paper", "nvidia", "hpcc"})
    void nicsAnswerMarksAndCutTheirRates(String rules) throws IOException {
        String text = STAR.replace("SWITCH", ", ecn: {kmin_kb: 20, kmax_kb: 200, pmax: 0.5}")
                .replace("off HOSTS", rules);
        FabricJob job = FabricFile.read(Files.writeString(folder.resolve("g.yaml"), text), 1);
        FabricResult result = run(job, EndpointKind.HW).run();
        assertThat(result.flows()).allMatch(f -> f.status().equals("success"));
        assertThat(result.cnps()).isPositive();
        assertThat(result.pauses())
                .isLessThan(run(job("", ""), EndpointKind.HW).run().pauses());
    }

    @Test
    void seriesShowWhatNicsSend() throws IOException {
        FabricRun run = run(job("", ""), EndpointKind.HW).sampled(20_000_000);
        run.run();
        Series series = run.series();
        assertThat(Objects.requireNonNull(series).samples())
                .filteredOn(s -> s.metric().equals("rate_gbps") && s.object().equals("flow0"))
                .hasSizeBetween(8, 20)
                .allMatch(s -> s.value() >= 0 && s.value() <= 100);
        assertThat(series.samples()).anyMatch(s -> s.metric().equals("queue_bytes") && s.value() > 0);
    }

    @Test
    void whatNoDeviceDoesIsRefused() throws IOException {
        FabricJob selective = job("", ", recovery: selective");
        assertThatThrownBy(() -> run(selective, EndpointKind.HW).run())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageMatching(".*\\.yaml:\\d+:\\d+: recovery selective: devices go back to the lost packet.*");
        String jumbo = STAR.replace("SWITCH", "").replace("HOSTS", "").replace("1024", "9000");
        FabricJob large = FabricFile.read(Files.writeString(folder.resolve("h.yaml"), jumbo), 1);
        assertThatThrownBy(() -> run(large, EndpointKind.SOFT).run())
                .hasMessageEndingWith("h.yaml:3:18: payload 9000: a path MTU is at most 4096 bytes");
    }

    @Test
    void whatTheUserSaysOfTheNicWins() throws IOException {
        UnaryOperator<Profile> deaf = p -> p.with("nic.pfc.classes", "0");
        FabricResult result = new FabricRun(job("", ""), SimSpec.of(1))
                .endpoints(EndpointKind.HW, Profiles.named("cx6-200g"), deaf)
                .run();
        assertThat(result.pauses()).isPositive();
        assertThat(result.drops()).isPositive();
        assertThat(result.flows()).anyMatch(f -> f.retransmissions() > 0);
    }
}

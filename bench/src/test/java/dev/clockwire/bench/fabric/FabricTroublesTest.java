package dev.clockwire.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.bench.artefact.DeviceCounters;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.SimSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What switches do not let in, and single hosts that differ from the others. */
class FabricTroublesTest {
    /** Behind the Ethernet header: IPv4 20, UDP 8, BTH 12, RETH 16, payload 1024, ICRC 4. */
    private static final int LONGEST = 1084;

    @TempDir
    private Path folder;

    private FabricRun run(EndpointKind kind, String switches, String hosts) throws IOException {
        String yaml = """
            topology: {kind: star, hosts: 2, gbps: 100, delay_us: 1}
            switches: {buffer: {mib: 16}SWITCHES}
            hosts: {dcqcn: off, payload: 1024, timeout_us: 100, retries: 2HOSTS}
            flows:
              - {from: host0, to: host1, bytes: 100000}
            until_ms: 20
            """.replace("SWITCHES", switches).replace("HOSTS", hosts);
        FabricJob job = FabricFile.read(Files.writeString(folder.resolve("f.yaml"), yaml), 1);
        return new FabricRun(job, SimSpec.of(1)).endpoints(kind, Profiles.named("cx6-200g"), p -> p);
    }

    private static long sum(FabricRun run, String counter) {
        return run.counters().stream()
                .flatMap(c -> Stream.of(c.hwCounters(), c.ethtool(), c.model()))
                .mapToLong(m -> m.getOrDefault(counter, 0L))
                .sum();
    }

    @ParameterizedTest
    @CsvSource({"1084, success", "1083, retry-exceeded", "68, retry-exceeded"})
    void aFrameMayBeAsLongAsTheMtu(int mtu, String status) throws IOException {
        FabricRun run = run(EndpointKind.HW, ", mtu: " + mtu, "");
        assertThat(run.run().flows().get(0).status()).isEqualTo(status);
        assertThat(sum(run, "rx_oversize_pkts_phy") > 0).isEqualTo(mtu < LONGEST);
        assertThat(sum(run, "req_transport_retries_exceeded")).isEqualTo(mtu < LONGEST ? 1 : 0);
    }

    @ParameterizedTest
    @EnumSource(EndpointKind.class)
    void aFilterOfRocesPortStopsEverything(EndpointKind kind) throws IOException {
        FabricRun run = run(kind, ", deny_udp: [53, 4791]", "");
        assertThat(run.run().flows().get(0).status()).isNotEqualTo("success");
        assertThat(sum(run, "ingress_policy_engine")).isPositive();
        FabricRun other = run(kind, ", deny_udp: 53", "");
        assertThat(other.run().flows().get(0).status()).isEqualTo("success");
        assertThat(sum(other, "ingress_policy_engine")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"v2, v2, true", "v1, v1, true", "v1, v2, false", "v2, v1, false"})
    void bothEndsSpeakTheSameVersion(String a, String b, boolean understood) throws IOException {
        String hosts = ", nic: {host0: {nic.roce_version: " + a + "}, host1: {nic.roce_version: " + b + "}}";
        FabricRun run = run(EndpointKind.HW, "", hosts);
        assertThat(run.run().flows().get(0).status().equals("success")).isEqualTo(understood);
        assertThat(sum(run, "rx_roce_version_errors") > 0).isEqualTo(!understood);
        assertThat(sum(run, "rx_dropped")).isEqualTo(sum(run, "rx_roce_version_errors"));
    }

    /** RoCE v1 has no UDP: a filter of its port is none of it. */
    @Test
    void versionOnePassesAFilterOfUdp() throws IOException {
        String hosts = ", nic: {host0: {nic.roce_version: v1}, host1: {nic.roce_version: v1}}";
        FabricRun run = run(EndpointKind.HW, ", deny_udp: 4791", hosts);
        assertThat(run.run().flows().get(0).status()).isEqualTo("success");
    }

    /** A NIC that is held up keeps what comes in its buffer, or loses it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 20_000})
    void aSmallReceiveBufferLosesPackets(int bytes) throws IOException {
        String yaml = """
            topology: {kind: star, hosts: 2, gbps: 100, delay_us: 1}
            switches: {buffer: {mib: 16}, pfc: {classes: []}}
            hosts: {dcqcn: off, payload: 1024, timeout_us: 300, retries: 7, nic: {host1: {nic.rx.buffer_bytes: BYTES}}}
            flows:
              - {from: host0, to: host1, bytes: 100000}
            faults: [{pause: host1, at_event: request, for_us: 50}]
            until_ms: 20
            """.replace("BYTES", "" + bytes);
        FabricJob job = FabricFile.read(Files.writeString(folder.resolve("f.yaml"), yaml), 1);
        FabricRun run = new FabricRun(job, SimSpec.of(1));
        FabricResult result = run.endpoints(EndpointKind.HW, Profiles.named("cx6-200g"), p -> p)
                .run();
        assertThat(result.flows().get(0).status()).isEqualTo("success");
        assertThat(sum(run, "rx_discards_phy") > 0).isEqualTo(bytes > 0);
    }

    @Test
    void lightHostsHaveNoNicOfTheirOwn() throws IOException {
        FabricRun run = run(EndpointKind.LIGHT, "", ", nic: {host0: {nic.roce_version: v1}}");
        assertThat(run.ignored()).singleElement().asString().contains("'hosts.nic' has no effect", "--endpoints hw");
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                ", mtu: 67 | | 67",
                ", deny_udp: 0 | | 0",
                "| , nic: {hots0: {nic.blueflame: false}} | host0",
                "| , nic: {host0: {nic.blueflam: false}} | nic.blueflame",
                "| , nic: {host0: {nic.roce_version: v3}} | v1",
            },
            delimiter = '|')
    void mistakesAreNamedWithTheirPlace(String switches, String hosts, String named) {
        assertThatThrownBy(() -> run(EndpointKind.HW, switches == null ? "" : switches, hosts == null ? "" : hosts))
                .hasMessageContaining("f.yaml:")
                .hasMessageContaining(named);
    }

    @Test
    void countersAreThoseOfHostsAndPorts() throws IOException {
        FabricRun run = run(EndpointKind.HW, "", "");
        run.run();
        assertThat(run.counters().stream().map(DeviceCounters::host).toList())
                .containsExactly("host0", "host1", "switch.port0", "switch.port1");
        List<String> lines = run.counters().get(2).lines();
        assertThat(lines.get(0)).isEqualTo("# switch.port0: ethtool -S eth0");
        assertThat(lines)
                .contains("     rx_prio3_discards: 0")
                .anyMatch(l -> l.matches(" +rx_prio3_packets: [1-9]\\d*"));
    }
}

package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.Param;
import dev.clockwire.nic.profile.Parameters;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.profile.RunPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings that can change nothing are told, with why and what to add; and what is told changes nothing indeed. */
class IdleTest {
    private static final String RUN = "perftest write-lat -n 5 -s 300 --json";
    private static final Set<RunPart> PLAIN = EnumSet.of(RunPart.NIC, RunPart.LINE);

    @TempDir
    Path folder = Path.of("");

    private static CommandRunner run(String line) {
        return clockwire(line.split(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nic.cache.qpc_ways=8 | nic.cache.qpc_entries is 0; add -P nic.cache.qpc_entries=N",
                "nic.cache.misses=5 | every table is on the chip; add -P nic.cache.qpc_entries=N",
                "host.jitter.sigma=0.5 | host.jitter.median_ns is 0; add -P host.jitter.median_ns=N",
                "host.stall.probability=0.5 | host.stall.period_ns is 0, host.stall.duration_ns is 0; add",
                "host.ddio.ways=4 | host.ddio.modelled is false; add -P host.ddio.modelled=true",
                "nic.dcqcn.rpg_ai_rate=7 | nic.rate.dcqcn is off, nobody on the way marks packets; add",
                "nic.rate.dcqcn=vendor | nobody on the way marks packets; add",
                "nic.eth.queues=2 | no command opens Ethernet queues",
                "host.kernel.mtu=9000 | no stack of the run is in the kernel; add nvmf perf --stack kernel-tcp",
                "host.cpu.interrupt_ns=9 | the program polls; add --event",
                "pcie.retrain_ns=9 | nothing happens to packets on PCIe, and pcie.ber is 0; add --faults"
            })
    void aParameterWithoutEffectIsTold(String override, String why) {
        assertThat(run(RUN + " -P " + override).notes())
                .hasLineCount(1)
                .contains("clockwire: " + override + " has no effect: " + why);
    }

    @Test
    void whatIsAddedMakesItEffective() {
        assertThat(run(RUN + " -P nic.cache.qpc_ways=8 -P nic.cache.qpc_entries=64")
                        .notes())
                .isEmpty();
        assertThat(run("perftest send-lat -n 5 -e --json -P host.cpu.interrupt_ns=9")
                        .notes())
                .isEmpty();
        assertThat(run(RUN + " -P host.jitter.sigma=0").notes()).isEmpty(); // the value it has anyway
    }

    @Test
    void softwareDevicesAndOptionsAreTold() {
        assertThat(run("perftest write-lat -n 5 -e -o 4 -I 64 --provider soft --counters=lspci -P nic.core_mhz=1000"
                                + " -P host.cpu.poll_ns=9")
                        .notes())
                .hasLineCount(4)
                .contains("-e: write-lat looks for messages in memory")
                .contains("-o has no effect: it counts READs and atomics")
                .contains("--counters of PCIe has no effect: a software device is no PCIe function")
                .contains("nic.core_mhz=1000 has no effect: hosts have software devices");
        run("perftest read-bw --rate_limit 5").failsWith(2, "--rate_limit: the device paces what it sends", "--rate");
    }

    @Test
    void linesOfAFileThatNobodyKnowsAreListed() throws IOException {
        Path file = Files.writeString(
                folder.resolve("a.cfg"), "what is this\nmlxconfig -d mlx5_0 set ROCE_CC_PRIO_MASK_P1=255\nnor this\n");

        assertThat(run(RUN + " --config " + file).notes())
                .contains("a.cfg:1: not known: what is this")
                .contains("a.cfg:3: not known: nor this")
                .contains("nic.rate.dcqcn=vendor has no effect");
    }

    @Test
    void whatAFabricsFileAsksOfHostsThatHaveItNotIsTold() throws IOException {
        Path file = Files.writeString(folder.resolve("f.yaml"), """
                topology: {kind: star, hosts: 2, gbps: 100}
                hosts: {dcqcn: nvidia, window_kb: 100}
                flows:
                  - {from: host0, to: host1, bytes: 10000}
                """);
        String fabric = "fabric run " + file + " --json --endpoints ";

        assertThat(run(fabric + "light").notes()).isEmpty();
        assertThat(run(fabric + "hw -P link.cable_ns=9 -P nic.core_mhz=1000").notes())
                .hasLineCount(2)
                .contains("f.yaml:2:35: 'hosts.window_kb' has no effect")
                .contains("link.cable_ns=9 has no effect: the cables are those of the fabric's file");
        assertThat(run(fabric + "soft -P nic.core_mhz=1000").notes())
                .hasLineCount(3)
                .contains("f.yaml:2:16: 'hosts.dcqcn' has no effect: software devices")
                .contains("nic.core_mhz=1000 has no effect");
    }

    static Stream<String> told() {
        Profile usual = Profiles.named(Profiles.DEFAULT);
        return Parameters.all().stream()
                .filter(p -> p.withoutEffect(usual, PLAIN).isPresent())
                .map(p -> p.path() + "=" + other(p, usual.text(p.path())));
    }

    /** Returns another value that the parameters around it allow. */
    private static String other(Param p, String usual) {
        if (!p.choices().isEmpty()) {
            return p.choices().get(p.choices().get(0).equals(usual) ? 1 : 0);
        }
        double value = Double.parseDouble(usual);
        double next = value > 0 && p.path().matches(".*(ways|bytes|entries)") ? 2 * value : value + 1;
        double other = next <= p.max() ? next : p.min();
        return p.kind() == Param.Kind.INTEGER ? Long.toString((long) other) : Double.toString(other);
    }

    @ParameterizedTest
    @MethodSource("told")
    void whatIsToldChangesNothing(String override) {
        if (List.of("host.stall.duration_ns", "pcie.retry_bytes").contains(override.replaceAll("=.*", ""))) {
            return; // not without the period, and not less than a packet
        }
        String others = override.startsWith("pcie.completion_timeout_us") ? "pcie.completion_timeout_us=100" : override;

        CommandRunner changed = run(RUN + " -P " + others);

        assertThat(changed.notes()).contains("has no effect");
        assertThat(changed.document().get("trace_hash"))
                .isEqualTo(run(RUN).json().get("trace_hash"));
    }
}

package dev.clockwire.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.bench.config.DeviceFiles;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.Headroom;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A fabric whose nodes are set up by files of real devices runs as one with the same parameters in YAML. */
class ImportedFabricTest {
    private static final String STAR = """
            topology: {kind: star, hosts: 9, gbps: 100, delay_us: 0.5}
            switches: SWITCHES
            hosts: HOSTS
            flows:
              - incast: {from: 8, to: host8, bytes: 1000000}
            until_ms: 20
            """;

    private static final String HOST = "{payload: 4096, dcqcn: nvidia}";

    @TempDir
    private Path dir;

    private static String resource(String name) throws IOException {
        try (InputStream in = DeviceFiles.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @BeforeEach
    void files() throws IOException {
        for (String name :
                List.of("good-switch.cfg", "good-host.sh", "config_db.json", "good-3fs.toml", "good-ceph.conf")) {
            Files.writeString(dir.resolve(name), resource(name));
        }
        Files.writeString(
                dir.resolve("small_db.json"),
                resource("config_db.json")
                        .replace("\"12766208\"", "\"1000000\"")
                        .replace("\"250000\"", "\"50000\""));
    }

    private FabricJob job(String text) throws IOException {
        return FabricFile.read(Files.writeString(dir.resolve("f.yaml"), text), 1);
    }

    private FabricJob job(String switches, String hosts) throws IOException {
        return job(STAR.replace("SWITCHES", switches).replace("HOSTS", hosts));
    }

    private static FabricResult run(FabricJob job) {
        return new FabricRun(job, SimSpec.of(1)).run();
    }

    /** Cells of 256 B, 12 % is 1/8, priorities, limits, weights and times as the files say. */
    @Test
    void aSwitchOfH3cIsTheSameInYaml() throws IOException {
        FabricResult imported = run(job("{buffer: {mib: 2}, config: good-switch.cfg}", "{config: [good-host.sh]}"));
        FabricResult typed = run(job(
                "{buffer: {mib: 2, reserve: 4096, resume_offset: 3072}, alpha: 0.125, headroom_bytes: 51200,"
                        + " pfc: {classes: [3], quanta: 65535}, ecn: {kmin_kb: 102.4, kmax_kb: 409.6, pmax: 0.2},"
                        + " scheduling: {strict: 6, dwrr: {5: 16}},"
                        + " watchdog: {detect_ms: 150, restore_ms: 200, action: drop}}",
                HOST));
        assertThat(imported.traceHash()).isEqualTo(typed.traceHash());
        assertThat(imported.pauses()).isPositive();
        assertThat(imported.cnps()).isPositive();
        assertThat(imported.drops()).isZero();
        assertThat(run(job("{buffer: {mib: 2}}", HOST)).traceHash()).isNotEqualTo(typed.traceHash());
    }

    /** The pool is what is shared: reserves and headrooms of nine ports come on top. */
    @Test
    void aSwitchWithSonicIsTheSameInYaml() throws IOException {
        FabricResult imported = run(job("{config: small_db.json}", "{config: good-host.sh}"));
        long bytes = 1_000_000 + 9 * (4096 + 177_632 + 1248);
        FabricResult typed = run(job(
                "{buffer: {bytes: " + bytes + ", reserve: 1248, resume_offset: 2288}, alpha: 0.125,"
                        + " headroom_bytes: 177632, pfc: {classes: [3]},"
                        + " ecn: {kmin_kb: 50, kmax_kb: 1000, pmax: 0.05},"
                        + " scheduling: {strict: 6, dwrr: {0: 14, 1: 14, 2: 14, 3: 15}},"
                        + " watchdog: {detect_ms: 200, restore_ms: 200, action: drop}}",
                HOST));
        assertThat(imported.traceHash()).isEqualTo(typed.traceHash());
        assertThat(imported.pauses()).isPositive();
        assertThat(imported.cnps()).isPositive();
    }

    @Test
    void applicationsSayTimeoutsAndCodePoints() throws IOException {
        FabricJob job = job("{config: good-switch.cfg}", "{config: [good-host.sh, good-3fs.toml]}");
        var light = job.network().light("host3");
        assertThat(light.timeoutPs()).isEqualTo(4_096_000L << 14);
        assertThat(light.retries()).isEqualTo(7);
        assertThat(light.dataDscp()).isEqualTo(26);
        assertThat(light.answerDscp()).isEqualTo(48);
        assertThat(light.priorities().obeyed()).isEqualTo(1 << 3);
        assertThat(job.lossless()).isEqualTo(3);
    }

    /** The numbers of an NVIDIA NIC's files of the kernel are those of its rules. */
    @Test
    void ratesObeyWhatTheKernelsFilesSay() throws IOException {
        Files.writeString(dir.resolve("host.sh"), """
                mlnx_qos -i eth0 --trust dscp --pfc 0,0,0,1,0,0,0,0
                echo 20 > /sys/class/net/eth0/ecn/roce_rp/rpg_ai_rate
                echo 1 | sudo tee /sys/class/net/eth0/ecn/roce_rp/clamp_tgt_rate
                echo 55 > /sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/rp_time_reset
                echo 1020 > /sys/class/net/eth0/ecn/roce_rp/dce_tcp_g
                echo 4 > /sys/class/net/eth0/ecn/roce_np/min_time_between_cnps
                """);
        FabricJob job = job("{}", "{config: {host0: host.sh}}");
        var rules = Objects.requireNonNull(job.network().light("host0").rules());
        assertThat(rules.additive()).isEqualTo(20_000_000);
        assertThat(rules.timerPs()).isEqualTo(55_000_000);
        assertThat(rules.clamp().name()).isEqualTo("ALWAYS");
        assertThat(rules.gain() / (double) (1L << 48)).isEqualTo(4 / 1024.0);
        assertThat(job.network().light("host0").cnpPs()).isEqualTo(4_000_000);
        assertThat(job.network().light("host1")).isEqualTo(job.network().light());
    }

    /** What lint finds comes about: the switch pauses, hosts without PFC send on, frames are lost; with it nothing is. */
    @Test
    void aHostWithoutPfcLosesFrames() throws IOException {
        Files.writeString(
                dir.resolve("deaf.sh"),
                resource("good-host.sh")
                        .replace("--pfc 0,0,0,1", "--pfc 0,0,0,0")
                        .replace("echo 1 >", "echo 0 >"));
        FabricJob deaf = job("{buffer: {mib: 2}, config: good-switch.cfg}", "{config: deaf.sh}");
        assertThat(deaf.notes()).anyMatch(n -> n.contains("[pfc-one-sided]"));
        FabricResult lost = run(deaf);
        assertThat(lost.pauses()).isPositive();
        assertThat(lost.drops()).isGreaterThan(20);
        assertThat(lost.cnps()).as("nobody is told of marks").isZero();
    }

    /** One host of nine has longer packets than the file says of all: headroom that is not given holds them. */
    @Test
    void headroomHoldsTheLongestPacketsOfAll() throws IOException {
        String text = STAR.replace("SWITCHES", "{buffer: {mib: 2}}").replace("payload: 4096, ", "");
        FabricJob mixed = job(text.replace("HOSTS", "{payload: 256, dcqcn: off, config: {host0: good-host.sh}}"));
        assertThat(mixed.network().light("host0").payload()).isEqualTo(4096);
        assertThat(mixed.network().light("host1").payload()).isEqualTo(256);
        CableSpec cable = mixed.network().topology().cables().get(0);
        assertThat(mixed.network().ports().of(cable).headroom())
                .isEqualTo(Headroom.needed(cable, Framing.ETHERNET, 4096 + 74));
        FabricResult result = run(mixed);
        assertThat(result.pauses()).isPositive();
        assertThat(result.drops()).isZero();
    }

    /** The same host, but its firmware speaks DCBX and takes over what the switch says. */
    @Test
    void aHostThatIsWillingTakesTheSwitchsPfcOver() throws IOException {
        String deaf = resource("good-host.sh").replace("--pfc 0,0,0,1", "--pfc 0,0,0,0");
        Files.writeString(dir.resolve("willing.sh"), deaf.replace("-d os", "-d fw"));
        FabricJob job = job("{buffer: {mib: 2}, config: good-switch.cfg}", "{config: willing.sh}");
        assertThat(job.network().light("host0").priorities().obeyed()).isEqualTo(1 << 3);
        assertThat(job.notes()).isEmpty();
        assertThat(run(job).drops()).isZero();
        FabricJob line = job("dcbx: on\n"
                + STAR.replace("SWITCHES", "{buffer: {mib: 2}, config: good-switch.cfg}")
                        .replace("HOSTS", "{config: willing.sh}"));
        assertThat(line.network().light("host0").priorities().obeyed())
                .as("before the exchange")
                .isZero();
        FabricResult told = run(line);
        assertThat(told.drops()).isZero();
        assertThat(told.pauses()).isPositive();
        Files.writeString(dir.resolve("mute.sh"), deaf);
        FabricResult mute = run(job("dcbx: on\n"
                + STAR.replace("SWITCHES", "{buffer: {mib: 2}, config: good-switch.cfg}")
                        .replace("HOSTS", "{config: mute.sh}")));
        assertThat(mute.drops()).isPositive();
        assertThat(mute.findings().toString()).contains("dcbx-silent");
    }

    /** {@code priority-flow-control auto}: a switch's port without a word from its host pauses nobody, with one it does. */
    @ParameterizedTest
    @CsvSource({"fw, true", "os, false"})
    void aPortThatWaitsForItsHostHasNoFlowControlBefore(String who, boolean speaks) throws IOException {
        String auto = resource("good-switch.cfg").replace("priority-flow-control enable", "priority-flow-control auto");
        assertThat(auto).contains("priority-flow-control auto");
        Files.writeString(dir.resolve("auto.cfg"), auto);
        Files.writeString(dir.resolve("one.sh"), resource("good-host.sh").replace("-d os", "-d " + who));
        FabricResult result = run(job("dcbx: on\n"
                + STAR.replace("SWITCHES", "{buffer: {mib: 2}, config: auto.cfg}")
                        .replace("HOSTS", "{config: one.sh}")));
        assertThat(result.pauses() > 0).isEqualTo(speaks);
        assertThat(result.drops() == 0).isEqualTo(speaks);
    }

    /** Devices obey the pauses of the priority that the files of their switch and host say, here 5 with DSCP 40, and of no other. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LIGHT | 0,0,0,0,0,1,0,0 | | false",
                "HW | 0,0,0,0,0,1,0,0 | | false",
                "SOFT | 0,0,0,0,0,1,0,0 | | false",
                "HW | 0,0,0,1,0,0,0,0 | | true",
                "SOFT | 0,0,0,1,0,0,0,0 | | true",
                "HW | 0,0,0,0,0,1,0,0 | 8 | true",
                "SOFT | 0,0,0,0,0,1,0,0 | 8 | true",
                "SOFT | 0,0,0,1,0,0,0,0 | 32 | false"
            })
    void devicesObeyThePrioritiesOfTheirFiles(EndpointKind kind, String pfc, @Nullable String override, boolean loses)
            throws IOException {
        Files.writeString(
                dir.resolve("five.cfg"),
                resource("good-switch.cfg")
                        .replace("dot1p 3", "dot1p 5")
                        .replace("cos 3", "cos 5")
                        .replace("import 26 export 3", "import 40 export 5")
                        .replace("qos wfq ef", "qos wfq af3"));
        Files.writeString(
                dir.resolve("five.sh"),
                resource("good-host.sh").replace("0,0,0,1,0,0,0,0", pfc).replace("-t 106", "-t 160"));
        FabricJob job = job("{buffer: {mib: 2}, config: five.cfg}", "{dcqcn: off, config: five.sh}");
        FabricResult result = new FabricRun(job, SimSpec.of(1))
                .endpoints(
                        kind,
                        Profiles.named("cx7-400g"),
                        p -> override == null ? p : p.with("nic.pfc.classes", override))
                .run();
        assertThat(result.pauses()).isPositive();
        assertThat(result.drops() > 0).isEqualTo(loses);
    }

    /** DSCP 26 in a class without PFC: no pauses, and losses where the good files have none. */
    @Test
    void dataInALossyClassIsLost() throws IOException {
        Files.writeString(
                dir.resolve("lossy.cfg"),
                resource("good-switch.cfg").replace("import 26 export 3", "import 26 export 1"));
        FabricJob job = job("{buffer: {mib: 1}, config: lossy.cfg}", "{config: good-host.sh}");
        assertThat(job.notes()).anyMatch(n -> n.contains("[data-class-lossy]"));
        FabricResult result = run(job);
        assertThat(result.pauses()).isZero();
        assertThat(result.drops()).isPositive();
    }

    /** Ports that say where they lead are set up one by one, and a switch of its own is like no other. */
    @Test
    void portsAndSwitchesMayDiffer() throws IOException {
        Files.writeString(dir.resolve("leaf0.cfg"), """
                interface HundredGigE1/0/1
                 description spine0
                 priority-flow-control enable
                 priority-flow-control no-drop dot1p 3
                 priority-flow-control dot1p 3 headroom 300
                 qos trust dscp
                interface HundredGigE1/0/2
                 description host0
                 priority-flow-control enable
                 priority-flow-control no-drop dot1p 3
                 priority-flow-control dot1p 3 headroom 150
                 priority-flow-control dot1p 3 ingress-buffer static 400
                 qos trust dscp
                """);
        FabricJob job = job("""
                topology: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 2}
                switches: {config: {leaf0: leaf0.cfg}, headroom_bytes: 77777}
                flows:
                  - {from: host0, to: host3, bytes: 100000}
                """);
        var cables = job.network().topology().cables();
        var leaf = job.network().plan().ports("leaf0");
        assertThat(cables.stream()
                        .filter(c -> c.b().equals("spine0") && c.a().equals("leaf0"))
                        .map(c -> leaf.of(c).headroom()))
                .containsExactly(300 * 256);
        assertThat(cables.stream()
                        .filter(c -> c.a().equals("host0"))
                        .map(c -> leaf.of(c).headroom()))
                .containsExactly(150 * 256);
        assertThat(cables.stream()
                        .filter(c -> c.a().equals("host0"))
                        .map(c -> leaf.of(c).xoff()))
                .containsExactly(400 * 256);
        assertThat(job.network().plan().ports("leaf1").of(cables.get(0)).headroom())
                .isEqualTo(77_777);
        assertThat(run(job).flows().get(0).status()).isEqualTo("success");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{config: none.cfg} | {} | f.yaml:2:20: cannot read",
                "{config: good-host.sh} | {} | f.yaml:2:20: expected the configuration of one switch, found 0",
                "{config: {swich: good-switch.cfg}} | {} | unknown key 'swich'; did you mean switch?",
                "{} | {config: good-switch.cfg} | expected the configuration of one host, found 0",
                "{config: bad.cfg} | {} | bad.cfg:23: no-drop dot1p '9' is not priorities 0 to 7",
                "{config: kmax.cfg} | {} | kmax.cfg:15: Kmax 25600 B of queue 3 is not in 102400..",
                "{config: big_db.json} | {} | f.yaml:1:1: switch buffer in bytes",
            })
    void whatIsWrongIsSaidWithItsPlace(String switches, String hosts, String said) throws IOException {
        String good = resource("good-switch.cfg");
        Files.writeString(dir.resolve("bad.cfg"), good.replace("no-drop dot1p 3", "no-drop dot1p 9"));
        Files.writeString(dir.resolve("kmax.cfg"), good.replace("high-limit 1600", "high-limit 100"));
        Files.writeString(
                dir.resolve("big_db.json"), resource("config_db.json").replace("\"12766208\"", "\"99999999999\""));
        assertThatThrownBy(() -> run(job(switches, hosts)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(said);
    }
}

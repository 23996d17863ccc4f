package dev.clockwire.bench.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.Finding;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Recognised;
import dev.clockwire.bench.config.model.Unknown;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What readers make of whole files: good ones, the articles' own, mixed and broken ones. */
class ConfigFilesTest {
    @TempDir
    private Path dir;

    private static String resource(String name) {
        try (InputStream in = ConfigFilesTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private DeviceFiles read(String name, String text) throws IOException {
        DeviceFiles read = DeviceFiles.of(List.of(Files.writeString(dir.resolve(name), text)));
        read.lint();
        return read;
    }

    private DeviceConfig device(String name) throws IOException {
        return read(name, resource(name)).devices().get(0);
    }

    private static void assertMarks(PortConfig port, long kmin, long kmax, double pmax) {
        assertThat(port.whole(ClassKey.KMIN, 3, 0)).isEqualTo(kmin);
        assertThat(port.whole(ClassKey.KMAX, 3, 0)).isEqualTo(kmax);
        assertThat(Objects.requireNonNull(port.get(ClassKey.PMAX, 3)).value()).isEqualTo(pmax);
        assertThat(port.on(ClassKey.ECN, 3)).isTrue();
    }

    @Test
    void aSwitchOfH3cIsRead() throws IOException {
        DeviceConfig leaf = device("good-switch.cfg");
        assertThat(leaf.name()).isEqualTo("leaf");
        assertThat(leaf.ports()).hasSize(4);
        PortConfig port = leaf.ports().get(2);
        assertThat(port.name()).isEqualTo("HundredGigE1/0/3");
        assertThat(port.whole(PortKey.GBPS, 0)).isEqualTo(100);
        assertThat(leaf.lossless(port)).isEqualTo(1 << 3);
        assertThat(port.whole(ClassKey.HEADROOM, 3, 0)).isEqualTo(51_200);
        assertThat(port.whole(ClassKey.ALPHA_LOG2, 3, 0)).isEqualTo(-3);
        assertThat(leaf.classOf(port, 26)).isEqualTo(3);
        assertThat(leaf.classOf(port, 10)).as("the default map").isEqualTo(1);
        assertMarks(port, 102_400, 409_600, 0.2);
        assertThat(port.whole(PortKey.DETECT_MS, 0)).isEqualTo(150);
    }

    @Test
    void aSwitchWithSonicIsRead() throws IOException {
        DeviceFiles read = read("config_db.json", resource("config_db.json"));
        DeviceConfig leaf = read.devices().get(0);
        assertThat(leaf.name()).isEqualTo("leaf0");
        PortConfig port = leaf.ports().get(1);
        assertThat(leaf.lossless(port)).isEqualTo(1 << 3);
        assertThat(port.whole(PortKey.CABLE, 0)).isEqualTo(40);
        assertThat(port.whole(ClassKey.HEADROOM, 3, 0)).isEqualTo(177_632);
        assertThat(port.whole(ClassKey.RESERVE, 3, 0)).isEqualTo(1248);
        assertThat(port.whole(PortKey.POOL, 0)).isEqualTo(12_766_208);
        assertThat(leaf.classOf(port, 26)).isEqualTo(3);
        assertThat(leaf.classOf(port, 10)).as("a code point without a map").isZero();
        assertMarks(port, 250_000, 1_000_000, 0.05);
        assertThat(port.on(ClassKey.STRICT, 6)).isTrue();
        assertThat(read.log().unknown())
                .extracting(Unknown::line, Unknown::text)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(56, "\"VLAN\""));
    }

    @Test
    void aHostIsRead() throws IOException {
        DeviceConfig host = device("good-host.sh");
        PortConfig port = host.ports().get(0);
        assertThat(host.isSwitch()).isFalse();
        assertThat(host.lossless(port)).isEqualTo(1 << 3);
        assertThat(port.whole(PortKey.DATA_DSCP, 0)).as("106 / 4").isEqualTo(26);
        assertThat(port.whole(PortKey.CNP_DSCP, 0)).isEqualTo(48);
        assertThat(port.on(ClassKey.NP, 3) && port.on(ClassKey.RP, 3)).isTrue();
    }

    /** What the articles print: how many lines are refused, each with its place and what to write instead. */
    @ParameterizedTest
    @CsvSource({
        "article-1-switch.cfg, 7, 0",
        "article-2-switch.cfg, 6, 0",
        "article-1-host.sh, 5, 0",
        "article-2-host.sh, 1, 0",
        "article-1-ceph.conf, 1, 0"
    })
    void theArticlesLinesAreAnsweredOneByOne(String name, int errors, int unknown) throws IOException {
        DeviceFiles read = read(name, resource(name));
        List<Finding> findings = read.log().findings();
        assertThat(findings.stream().filter(f -> f.severity().equals("error"))).hasSize(errors);
        assertThat(findings).allMatch(f -> !f.cure().isBlank() && f.where().contains(name + ":"));
        assertThat(read.log().unknown()).hasSize(unknown);
        long commands = resource(name)
                .lines()
                .filter(l -> !l.isBlank() && !l.startsWith("#"))
                .count();
        assertThat(read.log().recognised().stream().map(Recognised::line).distinct())
                .hasSize((int) commands);
    }

    /** A cure is itself what the reader takes. */
    @Test
    void curesOfRefusedCommandsAreCommands() throws IOException {
        StringBuilder cures = new StringBuilder();
        for (String name : List.of("article-1-switch.cfg", "article-2-switch.cfg")) {
            for (Finding f : read(name, resource(name)).log().findings()) {
                if (!f.cure().startsWith("leave")) {
                    cures.append(f.cure()
                                    .replace("; ", "\n")
                                    .replace("...", "HundredGigE1/0/1")
                                    .replace("low-limit CELLS", "low-limit 400")
                                    .replace("high-limit CELLS", "high-limit 1600")
                                    .replace("CELLS", "100"))
                            .append('\n');
                }
            }
        }
        DeviceFiles read = read("cures.cfg", cures.toString());
        assertThat(read.log().unknown()).isEmpty();
        assertThat(read.log().findings())
                .noneMatch(f -> f.rule().equals("not-comware") || f.rule().equals("bad-value"));
    }

    @Test
    void aFileMayHoldLinesOfManyPrograms() throws IOException {
        String mixed = resource("article-1-switch.cfg") + resource("good-host.sh") + resource("good-ceph.conf")
                + resource("good-3fs.toml") + "mount -t ceph mon1:/ /mnt\n";
        DeviceFiles read = read("mixed.txt", mixed);
        assertThat(read.devices())
                .extracting(DeviceConfig::kind)
                .containsExactly(DeviceConfig.Kind.COMWARE, DeviceConfig.Kind.HOST);
        assertThat(read.log().unknown()).extracting(Unknown::text).containsExactly("mount -t ceph mon1:/ /mnt");
    }

    /** Variables that are set to a word are put in; lines that a shell would have to compute are listed. */
    @Test
    void scriptsMayNameTheirInterfaces() throws IOException {
        DeviceFiles read = read("host.sh", """
                IFACE=ens1f0
                export PFC="0,0,0,1,0,0,0,0"
                mlnx_qos -i $IFACE --trust dscp --pfc ${PFC}
                for n in $(seq 0 7); do
                echo 1 > "/sys/class/net/$IFACE/ecn/roce_rp/enable/$n"
                echo "tclass=-1" | sudo tee /sys/class/infiniband/mlx5_0/tc/1/traffic_class
                """);
        DeviceConfig host = read.devices().get(0);
        assertThat(host.ports().get(0).name()).isEqualTo("ens1f0");
        assertThat(host.lossless(host.ports().get(0))).isEqualTo(1 << 3);
        assertThat(read.log().unknown()).extracting(Unknown::line).containsExactly(4, 5);
        assertThat(read.log().findings()).isEmpty();
        assertThat(read("c.conf", "ms_async_rdma_polling_us=0").log().findings())
                .extracting(Finding::rule)
                .containsExactly("ceph-polling-zero");
    }

    /** Printed by a switch, with its prompt in front. */
    @Test
    void promptsAreNoPartOfACommand() throws IOException {
        DeviceFiles read = read("s.cfg", """
                <H3C> system-view
                [H3C] interface HundredGigE 1/0/7
                [H3C-HundredGigE1/0/7] priority-flow-control enable
                [H3C-HundredGigE1/0/7]priority-flow-control no-drop dot1p 3 to 4
                """);
        DeviceConfig device = read.devices().get(0);
        assertThat(read.log().unknown()).isEmpty();
        assertThat(device.lossless(device.ports().get(0))).isEqualTo(3 << 3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"PORT\": {\"Ethernet0\": {\"speed\": \"100000\"}} | s.json:1:",
                "{\"PORT\": 1, \"PORT\": 2} | Duplicate field",
                "{} {} | something follows",
                "{\"a\": tru} | not JSON"
            })
    void brokenDocumentsAreNamed(String text, String words) {
        assertThatThrownBy(() -> read("s.json", text))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\n#\n# nothing\n",
                "{}",
                "{\"PORT\": \"x\", \"QUEUE\": {\"a\": []}, \"PFC_WD\": {\"\": null}}",
                "\u0000\u0001 \u0007"
            })
    void littleIsSaidOfFilesWithNothingInThem(String text) throws IOException {
        assertThat(read("nothing.txt", text).log().findings())
                .allMatch(f -> f.rule().equals("bad-value"));
    }

    @Test
    void linesThatNoProgramHasAreListedHoweverLong() throws IOException {
        DeviceFiles read = read("long.txt", "ms " + "a ".repeat(1 << 20) + "\nqos trust dscp\n");
        assertThat(read.log().unknown()).hasSize(1);
        assertThat(read.log().unknown().get(0).text()).hasSizeLessThan(200);
        assertThat(read.log().recognised()).hasSize(1);
    }

    /** What is no table, no entry, no field or no value of SONiC is said, whatever type it has. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{'PORT': {'Ethernet0': {'colour': 'red'}}}; 'PORT|Ethernet0|colour'; ",
                "{'BUFFER_PROFILE': {'p': {'dynamic_ht': '1'}}}; 'BUFFER_PROFILE|p|dynamic_ht'; did you mean dynamic_th?",
                "{'WRED_PROFILE': {'w': {'green_min_treshold': '1'}}}; 'WRED_PROFILE|w|green_min_treshold'; did you mean green_min_threshold?",
                "{'QUEUE': {'Ethernet0|3': {'scheduler': []}}}; ; QUEUE|Ethernet0|3|scheduler is no single value",
                "{'PORT': {'Ethernet0': null}}; ; PORT|Ethernet0 is 'null', not an object",
                "{'PORT': {'Ethernet0': [1]}}; ; PORT|Ethernet0 is a list, not an object",
                "{'PORT_QOS_MAP': 5}; ; PORT_QOS_MAP is '5', not an object",
                "{'CABLE_LENGTH': {'AZURE': '5m'}}; ; CABLE_LENGTH|AZURE is '5m', not an object",
                "{'DSCP_TO_TC_MAP': {'AZURE': {'64': '3'}}}; ; '64': '3' is not 0 to 63: 0 to 7",
                "{'MAP_PFC_PRIORITY_TO_QUEUE': {'AZURE': {'x': '3'}}}; ; 'x': '3' is not 0 to 7: 0 to 7",
                "{'PFC_WD': {'GLOBAL': {'POLL_INTERVAL': '200'}}}; ; ",
            })
    void nothingOfSonicIsDropped(String json, @Nullable String unknown, @Nullable String said) throws IOException {
        DeviceFiles read = read("config_db.json", json.replace('\'', '"'));
        assertThat(read.log().unknown())
                .extracting(Unknown::text)
                .isEqualTo(unknown == null ? List.of() : List.of('"' + unknown + '"'));
        if (said == null) {
            assertThat(read.log().findings()).noneMatch(f -> f.severity().equals("error"));
        } else {
            assertThat(read.log().findings()).anyMatch(f -> f.message().contains(said));
        }
    }

    /** Some editors write a byte order mark in front. */
    @ParameterizedTest
    @ValueSource(strings = {"good-switch.cfg", "good-host.sh", "config_db.json", "good-ceph.conf", "good-3fs.toml"})
    void aByteOrderMarkIsNoPartOfTheFirstLine(String name) throws IOException {
        DeviceFiles plain = read(name, resource(name));
        DeviceFiles marked = read(name, "\uFEFF" + resource(name));
        assertThat(marked.log().unknown()).isEqualTo(plain.log().unknown());
        assertThat(marked.log().recognised()).isEqualTo(plain.log().recognised());
    }

    /** Whatever is done to a file, it is read or refused with its name. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "good-switch.cfg",
                "good-host.sh",
                "config_db.json",
                "good-ceph.conf",
                "good-3fs.toml",
                "article-1-switch.cfg"
            })
    void damagedFilesAreReadOrRefused(String name) throws IOException {
        String good = resource(name);
        Random random = new Random(7);
        for (int i = 0; i < 1500; i++) {
            StringBuilder text = new StringBuilder(good);
            for (int edits = random.nextInt(6); edits >= 0; edits--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(5)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.insert(at, "0123456789-,|[]{}\"' \n#=".charAt(random.nextInt(23)));
                    case 2 -> text.setCharAt(at, (char) (32 + random.nextInt(95)));
                    case 3 -> text.delete(at, Math.min(text.length(), at + random.nextInt(20)));
                    default -> text.insert(at, "99999999999999999999");
                }
                if (text.isEmpty()) {
                    text.append('x');
                }
            }
            try {
                read(name, text.toString());
            } catch (ConfigurationException e) {
                assertThat(e).hasMessageContaining(name);
            }
        }
    }
}

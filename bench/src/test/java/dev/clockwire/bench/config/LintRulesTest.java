package dev.clockwire.bench.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.config.model.Finding;
import dev.clockwire.bench.config.model.Rule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule: files without the fault have no finding, one change brings it, with the number that breaks. */
class LintRulesTest {
    private static final String SWITCH = "good-switch.cfg";
    private static final String HOST = "good-host.sh";
    private static final String OTHER = "other-host.sh";
    private static final String SPINE = "spine.cfg";
    private static final String SONIC = "config_db.json";
    private static final String CEPH = "good-ceph.conf";
    private static final String THREEFS = "good-3fs.toml";
    private static final List<String> ALL = List.of(SWITCH, HOST, OTHER, CEPH, THREEFS);

    @TempDir
    private Path dir;

    /**
     * A change to good files.
     *
     * @param number what the finding is about
     */
    record Case(Rule rule, List<String> files, String file, String good, String bad, long number) {
        @Override
        public String toString() {
            return rule.id() + ": " + bad.lines().findFirst().orElse("");
        }
    }

    private static Case of(Rule rule, String file, String good, String bad, long number) {
        List<String> files = file.equals(SONIC) ? List.of(SONIC, HOST) : ALL;
        return new Case(rule, files, file, good, bad, number);
    }

    static Stream<Case> cases() {
        return Stream.of(
                of(Rule.BAD_VALUE, SWITCH, "no-drop dot1p 3", "no-drop dot1p 8", 8),
                of(Rule.BAD_VALUE, SWITCH, "dynamic 12", "dynamic 120", 0),
                of(Rule.BAD_VALUE, SWITCH, "interval 15", "interval 16", 0),
                of(Rule.BAD_VALUE, SWITCH, "import 26 export 3", "import 64 export 3", 0),
                of(Rule.BAD_VALUE, SWITCH, "discard-probability 20", "discard-probability 101", 0),
                of(Rule.BAD_VALUE, SWITCH, "weighting-constant 0", "weighting-constant 16", 16),
                of(Rule.BAD_VALUE, HOST, "mtu 4200", "mtu 420000", 420_000),
                of(Rule.BAD_VALUE, HOST, "--trust=dscp", "--trust=dcsp", 0),
                of(Rule.BAD_VALUE, HOST, "--pfc 0,0,0,1", "--pfc 0,0,0,2", 0),
                of(Rule.BAD_VALUE, HOST, "-t 106", "-t 256", 256),
                of(Rule.BAD_VALUE, HOST, "echo 1 >", "echo 2 >", 2),
                of(Rule.BAD_VALUE, SONIC, "\"dynamic_th\": \"-3\"", "\"dynamic_th\": \"-30\"", -30),
                of(Rule.BAD_VALUE, SONIC, "\"48\": \"6\"", "\"64\": \"6\"", 64),
                of(Rule.BAD_VALUE, SONIC, "\"5m\"", "\"5 miles\"", 0),
                of(Rule.BAD_VALUE, SONIC, "\"ecn_all\"", "\"ecn_al\"", 0),
                of(Rule.BAD_VALUE, CEPH, "polling_us = 1000", "polling_us = often", 0),
                of(Rule.BAD_VALUE, THREEFS, "timeout = 14", "timeout = 32", 32),
                of(Rule.NOT_COMWARE, SWITCH, "no-drop dot1p 3", "nodrop dot1p 3", 0),
                of(Rule.NOT_COMWARE, SWITCH, "qos trust dscp", "qos dscp 24 queue 3", 24),
                of(Rule.NO_SUCH_OPTION, HOST, "--pfc 0", "-c 0", 0),
                of(Rule.NO_SUCH_OPTION, CEPH, "rdma_polling_us", "rdma_poling_us", 0),
                of(Rule.NO_SUCH_OPTION, THREEFS, "retry_cnt", "retry_count", 0),
                of(Rule.NO_SUCH_SYSFS_FILE, HOST, "roce_np/cnp_dscp", "roce_np/cnp_dsp", 0),
                of(Rule.NO_SUCH_SYSFS_FILE, HOST, "ecn/roce_np/cnp_dscp", "ecn/roce_xp/cnp_dscp", 0),
                of(Rule.SONIC_UNKNOWN_REFERENCE, SONIC, "\"AZURE_LOSSLESS\"}", "\"AZURE_LOSLESS\"}", 0),
                of(Rule.CEPH_SYNTAX, CEPH, "ms_type = ", "ms_type ", 2),
                of(Rule.PFC_WITHOUT_TRAFFIC, SONIC, "\"26\": \"3\"", "\"26\": \"4\"", 3),
                of(Rule.DATA_CLASS_LOSSY, HOST, "-t 106", "-t 160", 40),
                of(Rule.DATA_CLASS_LOSSY, SWITCH, "import 26 export 3", "import 26 export 4", 26),
                of(Rule.DATA_CLASS_LOSSY, SONIC, "\"26\": \"3\"", "\"26\": \"5\", \"27\": \"3\"", 26),
                of(Rule.DATA_CLASS_LOSSY, THREEFS, "traffic_class = 104", "traffic_class = 0", 0),
                of(Rule.PFC_ONE_SIDED, HOST, "--pfc 0,0,0,1,0", "--pfc 0,0,0,0,0", 1 << 3),
                of(Rule.PFC_ONE_SIDED, SWITCH, "no-drop dot1p 3", "no-drop dot1p 3,4", 1 << 4),
                of(Rule.PFC_NOT_ENABLED, SWITCH, " priority-flow-control enable\n", "", 3),
                of(Rule.PFC_NOT_ENABLED, SWITCH, " priority-flow-control no-drop dot1p 3\n", "", 0),
                of(
                        Rule.PFC_AUTO_WITHOUT_DCBX,
                        SWITCH,
                        " priority-flow-control enable\n; lldp tlv-enable dot1-tlv dcbx\n",
                        " priority-flow-control auto\n;",
                        2),
                of(Rule.PFC_AUTO_WITHOUT_DCBX, SWITCH, "flow-control enable\n", "flow-control auto\n", 2),
                new Case(
                        Rule.DCBX_MISMATCH,
                        List.of(SWITCH, SPINE, HOST),
                        SPINE,
                        "no-drop dot1p 3",
                        "no-drop dot1p 4",
                        1),
                of(Rule.PFC_ON_MANY, HOST, "--pfc 0,0,0,1,0,0", "--pfc 0,0,1,1,1,1", 4),
                of(Rule.PFC_ON_CONTROL, SWITCH, "no-drop dot1p 3", "no-drop dot1p 3,6", 6),
                of(Rule.CNP_IN_DATA_CLASS, SWITCH, "import 48 export 6", "import 48 export 3", 48),
                of(Rule.CNP_IN_DATA_CLASS, HOST, "echo 48 >", "echo 25 >", 25),
                of(Rule.TRUST_NOT_DSCP, HOST, "--trust=dscp", "--trust=pcp", 0),
                of(Rule.TRUST_NOT_DSCP, SWITCH, " qos trust dscp\n", "", 0),
                of(Rule.TRUST_NOT_DSCP, SONIC, "\"dscp_to_tc_map\": \"[DSCP_TO_TC_MAP|AZURE]\",", "", 0),
                of(Rule.TOS_IS_NOT_DSCP, HOST, "-t 106", "-t 26", 26),
                of(Rule.TC_SHARED, HOST, "--trust=dscp", "--trust=dscp -p 0,1,2,3,3,5,6,7", 3),
                of(
                        Rule.QUEUE_SHARED,
                        SWITCH,
                        "qos map-table dscp-dot1p",
                        "qos map-table dot1p-lp\n import 4 export 3\n#\nqos map-table dscp-dot1p",
                        3),
                of(Rule.KMIN_ABOVE_XOFF, SONIC, "\"250000\"", "\"1500000\"", 1_418_468),
                of(Rule.KMIN_ABOVE_XOFF, SWITCH, "dynamic 12", "static 390", 390 * 256),
                of(Rule.KMAX_BELOW_KMIN, SWITCH, "high-limit 1600", "high-limit 160", 160 * 256),
                of(Rule.KMAX_BELOW_KMIN, SONIC, "\"1000000\"", "\"100000\"", 100_000),
                of(Rule.HEADROOM_SHORT, SONIC, "\"177632\"", "\"24000\"", 44_209 - 24_000),
                of(Rule.HEADROOM_SHORT, SONIC, "\"177632\"", "\"9000\"", 18_993 - 9000),
                of(Rule.HEADROOM_SHORT, SWITCH, "headroom 200", "headroom 33", 8576 - 33 * 256),
                of(Rule.HEADROOM_MISSING, SONIC, "\"xoff\": \"177632\",", "", 3),
                of(Rule.XOFF_ABOVE_POOL, SONIC, "\"dynamic_th\": \"-3\"", "\"static_th\": \"12766209\"", 1),
                of(Rule.OFFSET_ABOVE_XOFF, SWITCH, "dynamic 12", "static 12", 12 * 256),
                of(
                        Rule.RECEIVE_BUFFER_SMALL,
                        HOST,
                        "--trust=dscp",
                        "--trust=dscp --prio2buffer 0,0,0,1,0,0,0,0 --buffer_size 261632,0,0,0,0,0,0,0",
                        3),
                of(Rule.WRED_DROPS_LOSSLESS, SWITCH, " queue 3 ecn\n", "", 400 * 256),
                of(Rule.WRED_DROPS_LOSSLESS, SONIC, "ecn_all", "ecn_none", 250_000),
                of(Rule.WRED_NOT_APPLIED, SWITCH, " qos wred apply roce\n", "", 1),
                of(Rule.ECN_AVERAGED, SWITCH, " queue 3 weighting-constant 0\n", "", 9),
                of(
                        Rule.ECN_INCOMPLETE,
                        HOST,
                        "echo 1 > /sys/class/net/ens2f0/ecn/roce_rp",
                        "echo 0 > /sys/class/net/ens2f0/ecn/roce_rp",
                        3),
                of(
                        Rule.ECN_INCOMPLETE,
                        HOST,
                        "echo 1 > /sys/class/net/ens2f0/ecn/roce_np",
                        "echo 0 > /sys/class/net/ens2f0/ecn/roce_np",
                        3),
                of(Rule.ECN_INCOMPLETE, SWITCH, " qos wred apply roce\n", "", 3),
                of(Rule.MTU_MISMATCH, HOST, "mtu 4200", "mtu 9000", 4204),
                of(Rule.MTU_MISMATCH, OTHER, "mtu 4200", "mtu 1500", 1500),
                of(Rule.ROCE_VERSION_MISMATCH, OTHER, "-m 2", "-m 1", 1),
                of(
                        Rule.CABLE_MISMATCH,
                        SONIC,
                        "\"VLAN\"",
                        "\"DEVICE_NEIGHBOR\": {\"Ethernet0\": {\"name\": \"good-host\"}}, \"VLAN\"",
                        2),
                of(Rule.GLOBAL_PAUSE_WITH_PFC, SWITCH, " qos trust dscp\n", " qos trust dscp\n flow-control\n", 8),
                of(Rule.GLOBAL_PAUSE_WITH_PFC, HOST, "#!/bin/sh", "ethtool -A ens2f0 rx on tx on", 8),
                of(
                        Rule.WATCHDOG_TOO_SHORT,
                        SWITCH,
                        "interface range HundredGigE1/0/1 to HundredGigE1/0/4;precision normal;interval 15",
                        "interface Ten-GigabitEthernet 1/0/1;precision high;interval 3",
                        3355),
                of(Rule.WATCHDOG_NOT_LOSSLESS, SWITCH, "deadlock cos 3", "deadlock cos 4", 4),
                of(Rule.TCBW_NOT_100, HOST, "10,10,10,50", "10,10,10,40", 90),
                of(Rule.CNP_NOT_STRICT, SWITCH, "cs6 group sp", "cs6 group 1 byte-count 16", 6),
                of(Rule.CEPH_POLLING_ZERO, CEPH, "polling_us = 1000", "polling_us = 0", 0),
                of(Rule.CEPH_BUFFERS, CEPH, "receive_buffers = 4096", "receive_buffers = 32768", 33_792L << 17),
                of(Rule.CEPH_TYPE, CEPH, "async+rdma", "asyncrdma", 0),
                of(Rule.RNR_RETRY_ZERO, THREEFS, "rnr_retry = 7", "rnr_retry = 0", 0));
    }

    private static String resource(String name) {
        String like = name.equals(OTHER) ? HOST : name.equals(SPINE) ? SWITCH : name;
        try (InputStream in = LintRulesTest.class.getResourceAsStream(like)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Finding> findings(List<String> files, String changed, String good, String bad) throws IOException {
        List<Path> paths = new ArrayList<>();
        for (String file : files) {
            String text = resource(file);
            if (file.equals(changed)) {
                String[] from = good.split(";", -1);
                String[] to = from.length == 1 ? new String[] {bad} : bad.split(";", -1);
                for (int i = 0; i < from.length; i++) {
                    assertThat(text).contains(from[i]);
                    text = text.replace(from[i], to[i]);
                }
            }
            paths.add(Files.writeString(dir.resolve(file), text));
        }
        DeviceFiles read = DeviceFiles.of(paths);
        read.lint();
        return read.log().findings();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aChangeBringsTheFinding(Case c) throws IOException {
        List<Finding> bad = findings(c.files, c.file, c.good, c.bad);
        assertThat(bad)
                .as("%s", bad)
                .anyMatch(f -> f.rule().equals(c.rule.id())
                        && f.number() == c.number
                        && f.where().matches(".*\\.(cfg|sh|json|conf|toml):\\d+")
                        && !f.cure().isBlank());
    }

    @ParameterizedTest
    @ValueSource(strings = {"good-switch.cfg", "config_db.json"})
    void goodFilesHaveNoFinding(String leaf) throws IOException {
        List<String> files = leaf.equals(SONIC) ? List.of(SONIC, HOST) : ALL;
        assertThat(findings(files, "", "", "")).isEmpty();
    }

    /** Rules of one NIC's tools are tested with the command. */
    @Test
    void everyRuleOfAFabricHasACase() {
        Set<Rule> seen = EnumSet.noneOf(Rule.class);
        cases().forEach(c -> seen.add(c.rule));
        assertThat(seen).containsAll(EnumSet.range(Rule.BAD_VALUE, Rule.RNR_RETRY_ZERO));
    }

    /** The switch does not tell upper from lower case in its own words. */
    @Test
    void commandsInUpperCaseMeanTheSame() throws IOException {
        String good;
        try (InputStream in = DeviceFiles.class.getResourceAsStream(SWITCH)) {
            good = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        StringBuilder loud = new StringBuilder();
        for (String line : good.lines().toList()) {
            boolean names = line.strip().startsWith("sysname") || line.strip().startsWith("description");
            loud.append(
                            names
                                    ? line.replace("sysname", "SYSNAME").replace("description", "Description")
                                    : line.toUpperCase(Locale.ROOT))
                    .append('\n');
        }
        List<String> quiet = new ArrayList<>();
        List<String> other = new ArrayList<>();
        for (String text : List.of(good, loud.toString())) {
            DeviceFiles read = DeviceFiles.of(List.of(Files.writeString(dir.resolve("a.cfg"), text)));
            read.lint();
            assertThat(read.log().unknown()).isEmpty();
            assertThat(read.devices()).hasSize(1);
            (text.equals(good) ? quiet : other)
                    .addAll(read.devices().get(0).parameters().stream()
                            .map(v -> v.toString().toLowerCase(Locale.ROOT))
                            .toList());
        }
        assertThat(other).hasSizeGreaterThan(20).isEqualTo(quiet);
    }
}

package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.bench.config.model.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigCommandTest {
    /** The lines of the two articles, with the signs that their stored text lost. */
    private static final String ARTICLES = """
        # RoCEv2 and PCIe
        sudo mlxconfig -d /dev/mst/mt4129_pciconf0 set ROCE_NEXT_PROTOCOL=1
        sudo mlxconfig -d /dev/mst/mt4129_pciconf0 set PCI_WR_ORDERING=1
        mlxconfig -d /dev/mst/mt4123_pciconf0 set ROCE_CC_PROTOCOL=1
        sudo ethtool -K ens2f0 rx-fcs off
        sudo ethtool -N ens2f0 flow-type tcp4 src-ip 10.0.0.1 dst-ip 10.0.0.2 action 3
        ethtool -C ens2f0 adaptive-rx off
        setpci -s 0000:3b:00.0 COMMAND=0x0100 # assume 3b:00.0
        cma_roce_mode -d mlx5_0 -p 1
        mount -t ceph mon1:/ /mnt
        """;

    @TempDir
    private Path dir;

    private Path file(String text) throws IOException {
        return Files.writeString(dir.resolve("host.sh"), text);
    }

    private JsonNode run(String command, String text, int code) throws IOException {
        return clockwire("config", command, file(text).toString(), "--json").json(code);
    }

    private static List<String> rules(JsonNode report) {
        List<String> rules = new ArrayList<>();
        report.get("findings").forEach(f -> rules.add(f.get("rule").asText()));
        return rules;
    }

    @Test
    void theArticlesLinesAreJudged() throws IOException {
        JsonNode report = run("import", ARTICLES, 0);
        assertThat(report.get("recognised")).hasSize(8);
        assertThat(report.get("unknown")).hasSize(1);
        assertThat(report.get("unknown").get(0).get("line").asInt()).isEqualTo(10);
        assertThat(rules(report))
                .containsExactly(
                        "roce-next-protocol-is-no-switch",
                        "mlxconfig-no-such-parameter",
                        "rx-fcs-is-no-steering",
                        "steering-does-not-see-roce",
                        "ethtool-coalescing-is-ethernet",
                        "setpci-stops-device",
                        "cma-roce-mode-reads");
        JsonNode stops = report.get("findings").get(5);
        assertThat(stops.get("severity").asText()).isEqualTo("error");
        assertThat(stops.get("number").asLong()).isEqualTo(0x100);
        assertThat(stops.get("where").asText()).endsWith("host.sh:8");
        assertThat(stops.get("cure").asText()).contains("CAP_EXP+08.w=0010:0010");
        assertThat(report.get("recognised").get(6).get("effect").asText())
                .contains("Control.Mem + -> -", "Control.BusMaster + -> -");
    }

    private static final String SPDK = """
        HUGEMEM=4096 ./build/bin/nvmf_tgt -m 0x3 -p 0
        ./scripts/rpc.py nvmf_create_transport -t RDMA -u 131072 -c 0
        ./scripts/rpc.py nvmf_create_subsystem nqn.2024-08.io.spdk:cnode -a -s SPDK001
        ./scripts/rpc.py bdev_nvme_create nvme0 0000:3b:00.0
        ./scripts/rpc.py -s /tmp/t.sock bdev_nvme_attach_controller -b nvme0 -t PCIe -a 0000:3b:00.0
        ./scripts/rpc.py nvmf_subsystem_add_ns nqn.2024-08.io.spdk:cnode nvme0n1
        ./scripts/rpc.py nvmf_subsystem_add_listener nqn.2024-08.io.spdk:cnode -t RDMA -a 192.168.1.10 -s 4420
        ./scripts/rpc.py bdev_malloc_create 64 512 -b M
        ./scripts/rpc.py bdev_malloc_create sixty 512
        ./scripts/rpc.py nvmf_create_subsystem
        ./scripts/rpc.py reactor_get_stats
        """;

    /** The second article's lines for SPDK, and others: what they call, and which of them no target knows. */
    @Test
    void linesOfSpdkAreJudged() throws IOException {
        JsonNode report = run("import", SPDK, 0);
        assertThat(report.get("unknown")).isEmpty();
        assertThat(rules(report))
                .containsExactly(
                        "hugemem-is-of-setup",
                        "has-no-effect-here",
                        "no-such-method",
                        "bad-value",
                        "bad-value",
                        "no-such-method");
        assertThat(report.get("recognised").findValuesAsText("effect"))
                .contains(
                        "nvmf target -m 0x3, nvmf target -p 0",
                        "a call of the simulated target (nvmf target): bdev_nvme_attach_controller"
                                + " {\"name\":\"nvme0\",\"trtype\":\"PCIe\",\"traddr\":\"0000:3b:00.0\"}",
                        "a call of the simulated target (nvmf target): bdev_malloc_create"
                                + " {\"num_blocks\":131072,\"block_size\":512,\"name\":\"M\"}");
        assertThat(report.get("findings").get(2).get("message").asText())
                .contains("did you mean bdev_nvme_attach_controller?");
        assertThat(report.get("findings").get(3).get("message").asText()).contains("'sixty' is no number");
        assertThat(report.get("findings").get(4).get("message").asText()).contains("'nqn' is missing");
        run("lint", SPDK, 1);
    }

    /** A configuration of SPDK: each call with its line, misspelt methods and parameters with the nearest name. */
    @Test
    void filesOfSpdkAreJudged() throws IOException {
        String text = """
            {"subsystems": [
              {"subsystem": "bdev", "config": [
                {"method": "bdev_malloc_create", "params": {"name": "M", "num_blocks": 8, "block_size": 512}},
                {"method": "bdev_maloc_create", "params": {}},
                {"method": "bdev_malloc_create", "params": {"num_block": 8, "block_size": 512}}]},
              {"subsystem": "sock", "config": [{"method": "sock_impl_set_options"}]},
              {"subsystem": "nvmff", "config": []}]}
            """;
        JsonNode report = run("import", text, 0);
        assertThat(rules(report))
                .containsExactly("no-such-method", "bad-value", "has-no-effect-here", "no-such-option");
        assertThat(report.get("findings").findValuesAsText("message").toString())
                .contains("did you mean bdev_malloc_create?", "did you mean num_blocks?", "did you mean nvmf?");
        assertThat(report.get("findings").get(1).get("where").asText()).endsWith("host.sh:5");
        run("lint", text, 1);
        clockwire("config", "import", file("{\"subsystems\": 7}").toString()).failsWith(3, "subsystems");
    }

    /** A file of which nothing is known is no success. */
    @Test
    void nothingUnderstoodIsAFailure() throws IOException {
        for (String command : List.of("import", "lint")) {
            JsonNode report = run(command, "hello world\n", 1);
            assertThat(report.get("recognised")).isEmpty();
        }
    }

    /** Ethernet queues can moderate adaptively, but no command opens any. */
    @Test
    void adaptiveModerationHasNoEffectHere() throws IOException {
        JsonNode report = run("import", "ethtool -C eth0 adaptive-rx on\n", 0);
        assertThat(rules(report)).containsExactly("ethtool-adaptive-has-no-effect", "ethtool-coalescing-is-ethernet");
        assertThat(report.get("findings").get(0).get("cure").asText()).contains("NicEthernet.adaptive");
        assertThat(rules(run("import", "ethtool -C eth0 adaptive-rx off\n", 0)))
                .containsExactly("ethtool-coalescing-is-ethernet");
    }

    @Test
    void lintFailsOnlyOnErrors() throws IOException {
        assertThat(rules(run("lint", ARTICLES, 1))).contains("setpci-stops-device");
        assertThat(rules(run("lint", "cma_roce_mode -d mlx5_0 -p 1\n", 0))).hasSize(1);
    }

    /** The register holds 2810 at first: MaxPayload 256, MaxReadReq 512, relaxed ordering and extended tags. */
    @ParameterizedTest
    @CsvSource({
        "CAP_EXP+08.w=0010:0010, '', setpci-no-effect",
        "CAP_EXP+08.w=5000:7000, 'pcie.mrrs=4096', ''",
        "68.w=5000:7000, 'pcie.mrrs=4096', ''",
        "CAP_EXP+8.W=5936, 'pcie.mrrs=4096', setpci-device-control-whole",
        "CAP_EXP+08.w=0010, 'pcie.mps=128 pcie.mrrs=128', setpci-device-control-whole",
        "CAP_EXP+08.w=F000:7000, 'pcie.mrrs=4096', setpci-more-than-supported",
        "CAP_EXP+08.w=00E0:00E0, 'pcie.mps=512', setpci-more-than-supported",
        "COMMAND, '', ''",
        "COMMAND=0006:0006, '', setpci-no-effect",
        "COMMAND=0000:0004, '', setpci-stops-device",
        "VENDOR_ID=1234, '', setpci-no-effect",
        "CAP_MSIX+02.w=8000:8000, '', ''"
    })
    void setpciDoesWhatTheRegistersSay(String register, String overrides, String rule) throws IOException {
        JsonNode report = run("import", "setpci -v -s 3b:00.0 " + register + "\n", 0);
        List<String> values = new ArrayList<>();
        report.get("overrides")
                .forEach(o ->
                        values.add(o.get("path").asText() + "=" + o.get("value").asText()));
        assertThat(String.join(" ", values)).isEqualTo(overrides);
        assertThat(rules(report)).isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
    }

    @ParameterizedTest
    @CsvSource({
        "RPG_TIME_RESET_P1=100, nic.dcqcn.rpg_time_reset=100, ''",
        "RPG_AI_RATE_P1=10 RPG_HAI_RATE_P1=0x64, nic.dcqcn.rpg_ai_rate=10 nic.dcqcn.rpg_hai_rate=100, ''",
        "RPG_BYTE_RESET_P1=32767, nic.dcqcn.byte_counter=32767, byte-reset-is-of-the-paper",
        "RPG_BYTE_RESET_P1=32768, '', bad-value",
        "RPG_BYTE_RESET_P1=0, '', reaction-point-not-simulated",
        "RPG_TIME_RESET_P1=0, '', reaction-point-not-simulated",
        "RPG_TIME_RESET_P1=131072, '', bad-value",
        "RPG_AI_RATE_P1=-1, '', bad-value",
        "RPG_GD_P1=9, '', reaction-point-not-simulated",
        "RPG_GD_P1=10 RPG_THRESHOLD_P1=5, nic.dcqcn.rpg_gd=10 nic.dcqcn.rpg_threshold=5, ''",
        "RPG_MIN_DEC_FAC_P1=101, '', bad-value",
        "CLAMP_TGT_RATE_P1=1, nic.dcqcn.clamp_tgt_rate=true, ''",
        "DCE_TCP_G_P1=1000 DCE_TCP_RTT_P1=1, nic.dcqcn.dce_tcp_g=1000, ''",
        "DCE_TCP_RTT_P1=2, '', reaction-point-not-simulated",
        "ATS_ENABLED=True, '', ats-needs-an-iommu",
        "ATS_ENABLED=0, pcie.ats=false, ''",
    })
    void mlxconfigSetsTheReactionPointAndTranslations(String settings, String overrides, String rule)
            throws IOException {
        JsonNode report = run("import", "mlxconfig -d mt4129 set " + settings + "\n", 0);
        List<String> values = new ArrayList<>();
        report.get("overrides")
                .forEach(o ->
                        values.add(o.get("path").asText() + "=" + o.get("value").asText()));
        assertThat(String.join(" ", values)).isEqualTo(overrides);
        assertThat(rules(report)).isEqualTo(rule.isEmpty() ? List.of() : List.of(rule));
    }

    /** The values arrive in the simulation: what -P says counts for what a line does, and wins. */
    @Test
    void aRunHasWhatTheLinesSay() throws IOException {
        Path lines = file("mlxconfig -d mt4129 set ATS_ENABLED=1 RPG_AI_RATE_P1=20 RPG_HAI_RATE_P1=90\n");
        Path out = dir.resolve("out");
        clockwire(
                        "perftest",
                        "write-lat",
                        "-n",
                        "10",
                        "--config",
                        lines.toString(),
                        "-P",
                        "host.iommu.enabled=true",
                        "-P",
                        "nic.dcqcn.rpg_hai_rate=70",
                        "--out",
                        out.toString())
                .notes();
        String command = Files.readString(out.resolve("stats.json"));
        assertThat(command)
                .contains("pcie.ats=true", "nic.dcqcn.rpg_ai_rate=20")
                .containsPattern("rpg_hai_rate=90.*rpg_hai_rate=70");
    }

    @ParameterizedTest
    @CsvSource({
        "setpci -s 3b:00.0 COMMAND=01x0, 1:19, hexadecimal",
        "setpci -s 3b:00.0 COMAND=0100, 1:19, COMMAND",
        "setpci -s 3b:00.0 COMMAND=10000, 1:19, 2 bytes",
        "setpci -s 3b:00.0, 1:18, a register",
        "'  setpci CAP_EXP+01.w=1', 1:10, multiple of 2",
        "mlxconfig -d x set A_B 1, 1:20, NAME=VALUE",
        "mlxconfig -d x set, 1:19, NAME=VALUE",
        "mlxconfig -d, 1:13, a value of -d",
        "mlxconfig -d x set NUM_OF_VFS=4 PCI_WR_ORDERING=2, 1:33, PCI_WR_ORDERING from 0 to 1",
        "ethtool -L eth0 combined 65, 1:26, from 1 to 64",
        "ethtool -G eth0 rx 0, 1:20, from 1 to 8192",
        "ethtool -C eth0 rx-usecs, 1:25, NAME VALUE",
        "ethtool -C eth0 adaptive-rx maybe, 1:29, on or off",
        "ethtool -Z eth0 x y, 1:9, -C",
        "ethtool -N eth0 flow-type tcp4, 1:31, action QUEUE",
        "cma_roce_mode -d mlx5_0 -p 1 -m 3, 1:33, RoCE v2",
        "cma_roce_mode -p zero, 1:18, a port",
        "mlxconfig -d x set PCI_WR_ORDERING=force_relaxed, 1:20, force_relax",
        "mlxconfig -d x set CQE_COMPRESSION=agressive, 1:20, AGGRESSIVE",
        "mlxconfig -d x set LINK_TYPE_P1=Ethernet, 1:20, ETH",
        "mlxconfig -d x set NUM_OF_VFS=9999999999999999999999, 1:20, NAME=VALUE",
        "setpci -s zz COMMAND=6, 1:11, a slot",
        "setpci -s 3b.00.0 COMMAND=6, 1:11, a slot",
        "setpci -d 15b3 COMMAND=6, 1:11, VENDOR",
        "ethtool -C eth0 rx-usec 1, 1:17, rx-usecs",
        "ethtool -C eth0 rx-usecs 4096, 1:26, from 0 to 4095",
        "ethtool -C eth0 tx-frames 65536, 1:27, from 0 to 65535",
        "ethtool -L eth0 combine 8, 1:17, combined",
        "ethtool -G eth0 rxx 8, 1:17, rx-mini",
        "ethtool -A eth0 rx on ty off, 1:23, tx",
        "ethtool -N eth0 flow-type udp9 action 2, 1:27, udp4",
        "ethtool -N eth0 flow-type udp4 dst-port 65536 action 2, 1:41, from 0 to 65535"
    })
    void aWrongLineIsNamedWithItsColumn(String text, String where, String words) throws IOException {
        clockwire("config", "import", file(text + "\n").toString()).failsWith(3, "host.sh:" + where + ":", words);
    }

    /** What the simulated NIC has of each line. */
    @ParameterizedTest
    @CsvSource({
        "mlxconfig -d x set PCI_WR_ORDERING=1, nic.pci_wr_ordering=force_relax",
        "mlxconfig -d x set PCI_WR_ORDERING=per_mkey(0), ''",
        "mlxconfig -d x set PCI_WR_ORDERING=0 CQE_COMPRESSION=1, nic.cqe.compression=all nic.pci_wr_ordering=per_mkey",
        "mlxconfig -d x set CQE_COMPRESSION=0, nic.cqe.compression=cq",
        "mlxconfig -d x set CQE_COMPRESSION=AGGRESSIVE, nic.cqe.compression=all",
        "mlxconfig -d x set CQE_COMPRESSION=Balanced, nic.cqe.compression=cq",
        "mlxconfig -d x set PCI_WR_ORDERING=force_relax, nic.pci_wr_ordering=force_relax",
        "mlxconfig -d x set LINK_TYPE_P1=IB, link.framing=infiniband",
        "mlxconfig -d x set LINK_TYPE_P1=ETH, link.framing=ethernet",
        "mlxconfig -d x set MAX_ACC_OUT_READ=08, nic.dma.payload_outstanding_reads=8",
        "mlxconfig -d x set MAX_ACC_OUT_READ=0x2c, nic.dma.payload_outstanding_reads=44",
        "ethtool -N eth0 flow-type udp4 dst-port 4791 action -1, ''",
        "ethtool -G eth0 rx 8192 tx 1024, ''",
        "mlxconfig -d x set ROCE_CC_PRIO_MASK_P1=255, nic.ecn.capable=true nic.ecn.notify=qp"
                + " nic.rate.dcqcn=vendor",
        "mlxconfig -d x set ROCE_CC_PRIO_MASK_P1=0, nic.ecn.capable=false nic.ecn.notify=off nic.rate.dcqcn=off",
        "mlxconfig -d x set LINK_TYPE_P1=1, link.framing=infiniband",
        "mlxconfig -d x set MAX_ACC_OUT_READ=44, nic.dma.payload_outstanding_reads=44",
        "mlxconfig -d x set MAX_ACC_OUT_READ=44 MAX_ACC_OUT_READ=0, ''",
        "mlxconfig -d x set ROCE_NEXT_PROTOCOL=1 NUM_OF_VFS=4, ''",
        "ethtool -L eth0 combined 8, nic.eth.queues=8",
        "ethtool -C eth0 adaptive-rx off, ''",
        "mlxconfig -d x set CNP_DSCP_P1=46, nic.ecn.cnp_dscp=46",
        "ethtool -A eth0 rx on tx on, nic.pause.global=true",
        "ethtool -A eth0 rx off tx off, nic.pause.global=false",
        "ethtool -A eth0 autoneg on, nic.pause.global=false",
        "'mlnx_qos -i eth0 --pfc 0,0,0,1,0,1,0,0', nic.pfc.classes=40",
        "'mlnx_qos -i eth0 -f 0,0,0,0,0,0,0,0', nic.pfc.classes=0",
        "echo 1 > /sys/class/net/eth0/ecn/roce_np/enable/3, nic.ecn.notify=qp",
        "echo 0 > /sys/class/net/eth0/ecn/roce_rp/enable/3, nic.ecn.capable=false nic.rate.dcqcn=off",
        "echo 8 > /sys/class/net/eth0/ecn/roce_np/min_time_between_cnps, nic.ecn.cnp_interval_us=8",
        "echo 20 > /sys/class/net/eth0/ecn/roce_rp/rpg_ai_rate, nic.dcqcn.rpg_ai_rate=20",
        "echo 1 > /sys/class/net/eth0/ecn/roce_rp/clamp_tgt_rate, nic.dcqcn.clamp_tgt_rate=true"
    })
    void linesSetTheSimulatedNicsParameters(String line, String overrides) throws IOException {
        if (line.contains("(")) {
            clockwire("config", "import", file(line + "\n").toString()).failsWith(3, "NAME=VALUE");
            return;
        }
        assertThat(values(run("import", line + "\n", 0))).isEqualTo(overrides);
    }

    private static String values(JsonNode report) {
        List<String> values = new ArrayList<>();
        report.get("overrides")
                .forEach(o ->
                        values.add(o.get("path").asText() + "=" + o.get("value").asText()));
        return String.join(" ", values);
    }

    /** Where device control forbids the attribute the firmware's parameter does not bring it back, in either order of the lines. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void relaxedOrderingNeedsItsBitInDeviceControl(boolean firmwareFirst) throws IOException {
        String firmware = "mlxconfig -d x set PCI_WR_ORDERING=1\n";
        String control = "setpci -s 3b:00.0 CAP_EXP+08.w=0000:0010\n";
        String both = firmwareFirst ? firmware + control : control + firmware;
        assertThat(values(run("import", both, 0))).isEqualTo("nic.pci_wr_ordering=per_mkey");
        assertThat(values(run("import", both + "setpci -s 3b:00.0 CAP_EXP+08.w=0010:0010\n", 0)))
                .isEqualTo("nic.pci_wr_ordering=force_relax");
    }

    /** The first article's line makes up for a root complex where order costs time: 150 Gb/s in order, the line without. */
    @Test
    void perftestRunsOnTheNicThatTheLinesMake() throws IOException {
        String config = file("mlxconfig -d /dev/mst/mt4129_pciconf0 set PCI_WR_ORDERING=1\n")
                .toString();
        String line = "perftest write-bw -s 65536 -q 4 -n 100 --payload sizes --json -P pcie.strict_write_ns=13.65";
        double ordered = clockwire(line.split(" ")).json().get("bandwidth_gbps").asDouble();
        JsonNode imported = clockwire((line + " --config " + config).split(" ")).json();
        assertThat(ordered).isBetween(145.0, 155.0);
        assertThat(imported.get("bandwidth_gbps").asDouble()).isGreaterThan(380);
        JsonNode typed = clockwire((line + " --config " + config + " -P nic.pci_wr_ordering=per_mkey").split(" "))
                .json();
        assertThat(typed.get("bandwidth_gbps").asDouble()).isEqualTo(ordered); // what is typed wins
        String next = "mlxconfig -d x set ROCE_NEXT_PROTOCOL=1\n";
        assertThat(clockwire("explain", "write", "--config", file(next).toString())
                        .notes())
                .contains("host.sh:1: warning [roce-next-protocol-is-no-switch]");
        clockwire("perftest", "write-lat", "--config", file(ARTICLES).toString())
                .failsWith(3, "host.sh:8", "nothing can run", "COMMAND=0006:0006");
        clockwire("perftest", "write-lat", "--config", dir.resolve("none").toString())
                .failsWith(3, "none");
    }

    @Test
    void filesThatCannotBeReadAreNamed() throws IOException {
        clockwire("config", "import", dir.resolve("none").toString()).failsWith(3, "none");
        Path binary = Files.write(dir.resolve("b.sh"), new byte[] {(byte) 0xFF, 0, (byte) 0xC0});
        clockwire("config", "lint", binary.toString()).failsWith(3, "b.sh", "UTF-8");
        clockwire("config").failsWith(2, "import, lint");
    }

    @Test
    void theTextSaysEffectFindingAndCure() throws IOException {
        String text = clockwire("config", "import", file(ARTICLES).toString()).text();
        assertThat(text)
                .contains(
                        ":10: not known: mount -t ceph mon1:/ /mnt",
                        "error [setpci-stops-device]",
                        "    cure: setpci COMMAND=0006:0006");
        assertThat(clockwire(
                                "config",
                                "import",
                                file("ethtool -S eth0\nethtool eth0\nmlxconfig -d x query\n")
                                        .toString())
                        .text())
                .contains("changes nothing")
                .doesNotContain("cure");
    }

    /** PFC and pauses of the link exclude each other: what the NIC would refuse is not set, and the two lines are a finding. */
    @Test
    void prioritiesWinOverPausesOfTheLink() throws IOException {
        JsonNode report = run("import", "ethtool -A eth0 rx on tx on\nmlnx_qos -i eth0 --pfc 0,0,0,1,0,0,0,0\n", 0);

        assertThat(values(report)).isEqualTo("nic.pause.global=false nic.pfc.classes=8");
        assertThat(rules(report)).contains("global-pause-with-pfc");
    }

    @Test
    void aMapOfTheHostsOwnIsNoClassOfTheNic() throws IOException {
        String lines = "mlnx_qos -i eth0 --trust dscp --pfc 0,0,0,1,0,0,0,0\nmlnx_qos -i eth0 --dscp2prio set,40,3\n";

        assertThat(rules(run("import", lines, 0))).contains("nic-class-is-of-dscp");
    }

    /** As docs/configuration.md says: the import goes on, lint fails. */
    @Test
    void anUnknownKeyIsAFindingAndNoEndOfTheImport() throws IOException {
        JsonNode report = run("import", "mlxconfig -d x set FOO_BAR=1\n", 0);

        assertThat(rules(report)).isEqualTo(List.of("mlxconfig-no-such-parameter"));
        assertThat(values(report)).isEmpty();
        assertThat(clockwire(
                                "config",
                                "lint",
                                file("mlxconfig -d x set FOO_BAR=1\n").toString(),
                                "--json")
                        .json(1)
                        .get("findings"))
                .hasSize(1);
    }

    /** One line for each rule about one NIC; rules of fabrics have their own test. */
    @Test
    void everyRuleOfANicHasALine() throws IOException {
        Set<String> seen = new TreeSet<>();
        for (String line : List.of(
                "setpci -s 3b:00.0 COMMAND=0000:0004",
                "setpci -s 3b:00.0 CAP_EXP+8.W=5936",
                "setpci -s 3b:00.0 VENDOR_ID=1234",
                "setpci -s 3b:00.0 CAP_EXP+08.w=F000:7000",
                "mlxconfig -d x set ROCE_CC_PROTOCOL=1",
                "mlxconfig -d x set ROCE_NEXT_PROTOCOL=1",
                "mlxconfig -d x set LINK_TYPE_P1=IB",
                "mlxconfig -d x set MAX_ACC_OUT_READ=8",
                "mlxconfig -d x set RPG_BYTE_RESET_P1=1000",
                "mlxconfig -d x set RPG_MAX_RATE_P1=1000",
                "mlxconfig -d x set ATS_ENABLED=1",
                "ethtool -C eth0 rx-usecs 8",
                "ethtool -C eth0 adaptive-rx on",
                "ethtool -G eth0 rx 1024",
                "ethtool -L eth0 combined 8",
                "ethtool -A eth0 rx on tx on",
                "ethtool -K eth0 rx-fcs on",
                "ethtool -N eth0 flow-type tcp4 action 3",
                "mlnx_qos -i eth0 --pfc 0,0,0,0,1,0,0,0\nmlnx_qos -i eth0 --dscp2prio set,26,4",
                "cma_roce_mode -d mlx5_0 -p 1",
                "cma_roce_mode -d mlx5_0 -p 1 -m 1")) {
            seen.addAll(rules(run("import", line + "\n", 0)));
        }
        for (Rule rule : EnumSet.range(Rule.SETPCI_STOPS_DEVICE, Rule.CMA_ROCE_MODE_V1)) {
            assertThat(seen).contains(rule.id());
        }
    }
}

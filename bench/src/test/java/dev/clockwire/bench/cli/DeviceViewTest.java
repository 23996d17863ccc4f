package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.clockwire.bench.device.DeviceReader;
import dev.clockwire.bench.device.LspciReader;
import dev.clockwire.bench.device.LspciText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the commands of a real machine would show after a run, read back. */
class DeviceViewTest {
    private static final String RUN = "perftest write-bw -s 4096 -q 2 -n 50 -d mlx5_3 --counters=";

    private static List<String> view(String line, String format, int host) {
        JsonNode document = clockwire((line + format + " --json").split(" ")).document();
        List<String> lines = new ArrayList<>();
        for (JsonNode view : document.get("device_view")) {
            if (view.get("host").asText().equals("host" + host)
                    && view.get("format").asText().equals(format)) {
                view.get("lines").forEach(l -> lines.add(l.asText()));
            }
        }
        return lines;
    }

    /** 100 messages of one packet: 4096 B, Ethernet, IPv4, UDP, BTH 54, RETH 16 and ICRC 4 = 4170 B, in words of 4. */
    @Test
    void portCountersCountWordsAndPackets() {
        Map<String, String> sent = DeviceReader.values(view(RUN, "counters", 0));
        Map<String, String> received = DeviceReader.values(view(RUN, "counters", 1));
        assertThat(sent).containsEntry("port_xmit_data", String.valueOf(100 * 4170 / 4));
        assertThat(sent).containsEntry("port_xmit_packets", "100").containsEntry("port_rcv_errors", "0");
        assertThat(received.get("port_rcv_data")).isEqualTo(sent.get("port_xmit_data"));
        assertThat(received.get("port_xmit_packets")).isEqualTo(sent.get("port_rcv_packets"));
    }

    @Test
    void lostPacketsShowWhereTheRealToolsShowThem() throws java.io.IOException {
        java.nio.file.Path plan =
                java.nio.file.Files.createTempFile(java.nio.file.Path.of("target"), "clockwire", ".yaml");
        java.nio.file.Files.writeString(
                plan, "faults:\n  - drop: frame\n    frames: [5, 40]\n    direction: client-to-server\n");
        String line = "perftest write-bw -s 4096 -n 60 --faults " + plan + " --counters=";
        Map<String, String> client = DeviceReader.values(view(line, "hw-counters", 0));
        Map<String, String> server = DeviceReader.values(view(line, "hw-counters", 1));
        Map<String, String> left = DeviceReader.values(view(line, "counters", 0));
        Map<String, String> came = DeviceReader.values(view(line, "counters", 1));
        JsonNode hosts =
                clockwire((line + "ethtool-s --json").split(" ")).json().get("counters");
        java.nio.file.Files.delete(plan);
        assertThat(Long.parseLong(server.get("out_of_sequence"))).isPositive();
        assertThat(Long.parseLong(client.get("packet_seq_err"))).isPositive();
        assertThat(client).containsEntry("out_of_sequence", "0");
        assertThat(missing(left, came, "packets")).as("two packets of one size").isEqualTo(2);
        assertThat(missing(left, came, "data")).isEqualTo(2 * 4170 / 4);
        assertThat(hosts.get(0).get("ethtool").get("tx_packets_phy").asLong()
                        - hosts.get(1).get("ethtool").get("rx_packets_phy").asLong())
                .isEqualTo(2);
    }

    private static long missing(Map<String, String> left, Map<String, String> came, String what) {
        return Long.parseLong(Objects.requireNonNull(left.get("port_xmit_" + what)))
                - Long.parseLong(Objects.requireNonNull(came.get("port_rcv_" + what)));
    }

    @Test
    void queuePairsReadBackFromBothPlaces() {
        List<String> lines = view(RUN, "rdma", 0);
        assertThat(lines.get(1))
                .matches("link mlx5_3/1 lqpn \\d+ rqpn \\d+ type RC state RTS rq-psn \\d+ sq-psn \\d+ pid 1 comm"
                        + " ib_write_bw");
        Map<Integer, Map<String, String>> resources = DeviceReader.queuePairs(lines);
        Map<Integer, Map<String, String>> files = DeviceReader.queuePairs(view(RUN, "qps", 0));
        assertThat(resources).hasSize(2);
        assertThat(files.keySet()).isEqualTo(resources.keySet());
        files.forEach((qpn, f) -> {
            Map<String, String> r = Objects.requireNonNull(resources.get(qpn));
            assertThat(f.get("state")).isEqualTo(r.get("state"));
            assertThat(Integer.decode(f.get("remote_qpn"))).isEqualTo(Integer.decode(r.get("rqpn")));
            assertThat(f).containsEntry("mtu", "4096").containsEntry("num_recv", "0");
        });
        Map<Integer, Map<String, String>> peer = DeviceReader.queuePairs(view(RUN, "rdma", 1));
        resources.forEach((qpn, r) -> assertThat(peer.get(Integer.decode(r.get("rqpn"))))
                .containsEntry("rqpn", String.valueOf(qpn))
                .containsEntry("rq-psn", r.get("sq-psn")));
    }

    @Test
    void lspciShowsTheLinkAndItsSizes() {
        Map<String, String> f = LspciReader.flags(
                view(RUN.replace("-n 50", "-n 5 -P pcie.generation=4 -P pcie.lanes=8 -P pcie.mps=128"), "lspci", 0));
        assertThat(f)
                .containsEntry("LnkSta.Speed", "16GT/s")
                .containsEntry("LnkSta.Width", "x8")
                .containsEntry("DevCtl.MaxPayload", "128")
                .containsEntry("DevCtl.MaxReadReq", "512")
                .containsEntry("Control.BusMaster", "+")
                .containsEntry("UESta.UnsupReq", "-");
    }

    /** The lines of pciutils 3.7, behind those of AER. */
    @Test
    void lspciShowsTheTranslationsThatTheDeviceKeeps() {
        List<String> lines = view(RUN.replace("-n 50", "-n 5 -P host.iommu.enabled=true -P pcie.ats=true"), "lspci", 0);
        int at = lines.indexOf("\tCapabilities: [140 v1] Address Translation Service (ATS)");
        assertThat(at).isPositive();
        assertThat(lines.subList(at + 1, lines.size()))
                .containsExactly(
                        "\t\tATSCap:\tInvalidate Queue Depth: 00",
                        "\t\tATSCtl:\tEnable+, Smallest Translation Unit: 00");
    }

    /** The format of pciutils 3.7 for bridges; buses as firmware numbers them, the NIC where it always is. */
    @Test
    void lspciShowsThePortsOfASwitch() {
        List<String> lines = view(RUN.replace("-n 50", "-n 5 -P pcie.switch=gen5 -P pcie.lanes=8"), "lspci", 0);
        assertThat(lines).filteredOn(l -> l.matches("[0-9a-f]{2}:.*")).hasSize(3);
        List<String> up = lines.subList(1, lines.indexOf(""));
        List<String> down = lines.subList(lines.indexOf("") + 1, lines.lastIndexOf(""));
        List<String> nic = lines.subList(lines.lastIndexOf("") + 1, lines.size());
        assertThat(up.get(0)).startsWith("39:00.0 PCI bridge: ");
        assertThat(up)
                .contains(
                        "\tBus: primary=39, secondary=3a, subordinate=3b, sec-latency=0",
                        "\tI/O behind bridge: 0000f000-00000fff [disabled]",
                        "\tMemory behind bridge: fff00000-000fffff [disabled]",
                        "\tPrefetchable memory behind bridge: 0000200000000000-00002000084fffff [size=133M]",
                        "\tCapabilities: [60] Express (v2) Upstream Port, MSI 00");
        assertThat(down.get(0)).startsWith("3a:00.0 PCI bridge: ");
        assertThat(down)
                .contains(
                        "\tBus: primary=3a, secondary=3b, subordinate=3b, sec-latency=0",
                        "\tCapabilities: [60] Express (v2) Downstream Port (Slot-), MSI 00");
        assertThat(LspciReader.flags(down))
                .containsEntry("LnkSta.Speed", "32GT/s")
                .containsEntry("LnkSta.Width", "x8")
                .containsEntry("LnkSta.DLActive", "+")
                .containsEntry("DevCtl.MaxPayload", "256");
        assertThat(nic.get(0)).startsWith("3b:00.0 Ethernet controller: ");
    }

    /** A request and its answer pass a hop of 115 ns each. */
    @Test
    void aSwitchAddsAHopEachWay() {
        String line = "explain write -s 64 --json -P pcie.switch=";
        double[] payload = new double[3];
        String[] kinds = {"none", "on_chip", "gen5"};
        for (int i = 0; i < kinds.length; i++) {
            JsonNode document = clockwire((line + kinds[i]).split(" ")).json();
            for (JsonNode stage : document.get("stages")) {
                if (stage.get("name").asText().equals("payload_dma")) {
                    payload[i] = stage.get("duration_ns").asDouble();
                }
            }
        }
        assertThat(payload[2] - payload[0]).isEqualTo(2 * 115.0, org.assertj.core.api.Assertions.within(4.0));
        assertThat(payload[2] - payload[1]).isEqualTo(2 * 15.0, org.assertj.core.api.Assertions.within(4.0));
    }

    /** The dump holds what the text says. */
    @Test
    void theDumpIsTheSameSpace() {
        List<String> dump = view(RUN, "lspci-dump", 1);
        byte[] space = LspciReader.dump(dump.subList(1, dump.size()));
        List<String> again = new ArrayList<>();
        LspciText.print("x", "y", space, n -> 0, again::add);
        List<String> lines = view(RUN, "lspci", 1);
        assertThat(LspciReader.flags(again).entrySet())
                .containsAll(LspciReader.flags(again).entrySet());
        assertThat(again.subList(7, again.size())).isEqualTo(lines.subList(8, lines.size()));
    }

    @Test
    void coalescingIsReadable() {
        Map<String, String> values = DeviceReader.values(view(RUN, "ethtool-c", 0));
        assertThat(values).containsEntry("rx-usecs", "0").containsEntry("rx-usecs-irq", "n/a");
    }

    @Test
    void softwareHasNoConfigurationSpace() {
        assertThat(clockwire("perftest write-lat -n 5 --provider soft --counters=lspci".split(" "))
                        .notes())
                .contains("--counters of PCIe has no effect");
        assertThat(view("perftest write-lat -n 5 --provider soft --counters=", "lspci", 0))
                .hasSize(1);
        assertThat(DeviceReader.queuePairs(view("perftest write-lat -n 5 --provider soft --counters=", "rdma", 0)))
                .hasSize(1);
    }

    /** A command line of the real tool ends with the host, whatever stands in front of it. */
    @Test
    void theHostOfARealCommandLineIsNoFormat() {
        assertThat(clockwire("perftest", "write-lat", "-n", "3", "--counters", "server7")
                        .text())
                .contains("hw_counters", "ethtool -S");
        assertThat(clockwire("perftest", "write-lat", "--counters", "-n", "3", "lspci")
                        .text())
                .contains("hw_counters", "ethtool -S");
        assertThat(clockwire("perftest", "write-lat", "-n", "3", "--counters=rdma", "server7")
                        .text())
                .contains("rdma resource show")
                .doesNotContain("ethtool");
    }

    @Test
    void anUnknownFormatIsNamed() {
        clockwire("perftest", "write-lat", "--counters=lspi").failsWith(2, "lspi", "lspci");
        assertThat(clockwire("perftest", "write-lat", "-n", "3", "--counters=rdma,qps")
                        .text())
                .contains("# host0: rdma resource show qp link mlx5_0/1", "# host1: grep -r . /sys/kernel/debug/mlx5/");
    }
}

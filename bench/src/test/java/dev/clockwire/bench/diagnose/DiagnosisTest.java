package dev.clockwire.bench.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people have pasted, and what it means. */
class DiagnosisTest {
    private static List<String> rules(String text) {
        return Diagnosis.of(Counters.read(text)).stream().map(Finding::rule).toList();
    }

    private static String hw(String... counters) {
        StringBuilder text = new StringBuilder();
        for (String counter : counters) {
            text.append("/sys/class/infiniband/mlx5_0/ports/1/hw_counters/")
                    .append(counter)
                    .append('\n');
        }
        return text.toString();
    }

    /** sonic-buildimage 21891: taken for missing ECN; it is a receive queue that runs empty. */
    @Test
    void anEmptyReceiveQueueIsNoCongestion() {
        List<Finding> found = Diagnosis.of(Counters.read(hw(
                "np_cnp_sent:0",
                "np_ecn_marked_roce_packets:0",
                "out_of_buffer:1543",
                "rnr_nak_retry_err:1543",
                "local_ack_timeout_err:15",
                "req_transport_retries_exceeded:19",
                "rp_cnp_handled:144")));
        assertThat(found).hasSize(1);
        assertThat(found.get(0).rule()).isEqualTo("receive-starvation");
        assertThat(found.get(0).evidence()).contains("out_of_buffer=1543", "rnr_nak_retry_err=1543");
    }

    /** A handful of waits among millions of packets is life. */
    @ParameterizedTest
    @CsvSource({"999, false", "1000, true"})
    void waitsForReceivesAreMeasuredByPackets(int waits, boolean worthAWord) {
        String text = hw("out_of_buffer:" + waits) + "NIC statistics:\n     rx_packets_phy: 1000000\n";
        assertThat(rules(text).contains("receive-starvation")).isEqualTo(worthAWord);
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "rx_prio3_discards: 7 | tx_prio3_pause: 0 | pfc-off",
                "rx_prio3_discards: 7 | tx_prio3_pause: 9 | pfc-headroom",
                "rx_prio3_discards: 7 | tx_prio4_pause: 9 | pfc-off",
                "rx_discards_phy: 3 | rx_packets_phy: 30000 | receive-buffer",
                "rx_oversize_pkts_phy: 8 | rx_packets_phy: 50 | mtu-mismatch",
                "ingress_policy_engine: 8 | rx_packets_phy: 50 | filtered",
                "rx_crc_errors_phy: 912 | rx_packets_phy: 9204511414 | damaged-frames",
                "rx_icrc_encapsulated: 1 | rx_packets_phy: 50 | damaged-packets",
                "rx_prio3_pause: 900 | rx_prio3_pause_transition: 2 | pfc-storm",
                "rx_prio3_pause: 920331 | rx_discards_phy: 0 | paused",
                "rx_symbol_err_phy: 9 | rx_packets_phy: 50 | damaged-frames",
                "rx_pcs_symbol_err_phy: 2 | rx_bits_phy: 1000000000000 | line-errors",
                "rx_corrected_bits_phy: 240 | rx_bits_phy: 1000000 | line-errors",
                "symbol_error: 2 | port_rcv_data: 31250000000 | line-errors",
                "link_down_events_phy: 10 | rx_packets_phy: 50 | link-flaps",
                "link_downed: 10 | rx_packets_phy: 50 | link-flaps",
                "outbound_pci_stalled_wr: 30 | outbound_pci_stalled_wr_events: 0 | pcie-stalled",
                "outbound_pci_stalled_rd: 0 | outbound_pci_stalled_rd_events: 60 | pcie-stalled",
                "outbound_pci_buffer_overflow: 1 | rx_packets_phy: 10000 | pcie-stalled",
                "rx_pci_signal_integrity: 10 | rx_packets_phy: 50 | pcie-signal",
                "tx_pause_storm_error_events: 1 | tx_pause_storm_warning_events: 4 | nic-stalled",
                "rx_global_pause: 10 | tx_packets_phy: 10000 | global-pause",
                "rx_out_of_buffer: 1 | rx_packets_phy: 10000 | ring-empty",
                "resp_remote_access_errors: 1 | rx_packets_phy: 10000 | refused-requests",
                "duplicate_request: 100 | local_ack_timeout_err: 3 | timer-too-short",
                "rp_cnp_ignored: 100 | rp_cnp_handled: 0 | notifications-ignored",
                "roce_adp_retrans: 100 | rx_packets_phy: 10000 | loss-on-the-way",
                "req_transport_retries_exceeded: 1 | rx_packets_phy: 10000 | no-answer",
                "PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED: 1 | rx_prio3_pause: 900 | pfc-storm-contained",
            },
            delimiter = '|')
    void oneLineOfEthtoolAndAnotherGiveACause(String one, String other, String rule) {
        assertThat(rules("NIC statistics:\n     " + one + "\n     " + other + "\n"))
                .containsExactly(rule);
    }

    /** As above, but so little of it that nobody is accused. */
    @ParameterizedTest
    @CsvSource(
            value = {
                "rx_symbol_err_phy: 9 | rx_packets_phy: 1000000000",
                "rx_pcs_symbol_err_phy: 2 | rx_bits_phy: 3000000000000",
                "rx_corrected_bits_phy: 239 | rx_bits_phy: 1000000",
                "symbol_error: 1 | port_rcv_data: 41250000000",
                "link_down_events_phy: 9 | rx_packets_phy: 50",
                "outbound_pci_stalled_wr: 29 | outbound_pci_stalled_wr_events: 59",
                "outbound_pci_buffer_overflow: 1 | rx_packets_phy: 10001",
                "rx_pci_signal_integrity: 9 | rx_packets_phy: 50",
                "tx_pause_storm_error_events: 0 | tx_pause_storm_warning_events: 4",
                "rx_global_pause: 10 | tx_packets_phy: 10001",
                "rx_out_of_buffer: 1 | rx_packets_phy: 10001",
                "req_cqe_flush_error: 512 | rx_packets_phy: 10000",
                "duplicate_request: 100 | local_ack_timeout_err: 0",
                "rp_cnp_ignored: 100 | rp_cnp_handled: 144",
                "roce_adp_retrans: 100 | rx_packets_phy: 1000001",
                "PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED: 0 | rx_prio3_pause: 900",
            },
            delimiter = '|')
    void alittleOfItIsLife(String one, String other) {
        assertThat(rules("NIC statistics:\n     " + one + "\n     " + other + "\n"))
                .isEmpty();
    }

    /** Notifications that slow restart makes are none of a switch: pauses without a mark stay pauses without a mark. */
    @Test
    void notificationsOfTheNicItselfAreCountedApart() {
        String held = "out_of_buffer: 0\nrx_prio3_pause: 900\ntx_packets_phy: 9000\nrp_cnp_handled: 144\n";
        assertThat(rules(held + "roce_slow_restart_cnps: 144\n")).containsExactly("ecn-too-high");
        assertThat(rules(held + "roce_slow_restart_cnps: 4\n")).containsExactly("late-notifications");
    }

    /** With a time, length decides: a pause a packet that is short costs nothing, a pause an hour that is long does. */
    @ParameterizedTest
    @CsvSource({"900, 9999, false", "900, 10000, true", "9, 10000, true"})
    void pausesAreWeighedByTheirLength(int pauses, int us, boolean worthAWord) {
        String text = "out_of_buffer: 0\nrx_packets_phy: 9000000\ntx_prio3_pause: " + pauses
                + "\ntx_prio3_pause_duration: " + us + "\n";
        Counters counters = Counters.read(text).over(1);
        assertThat(Diagnosis.of(counters).stream().anyMatch(f -> f.rule().equals("slow-receiver")))
                .isEqualTo(worthAWord);
    }

    /** A pause that is renewed all the time at 400 Gb/s is over in less than a receiver takes to breathe. */
    @ParameterizedTest
    @CsvSource({"1499, false", "1500, true"})
    void aStormIsALongOne(int us, boolean storm) {
        String text = "rx_prio3_pause: 900\nrx_prio3_pause_transition: 2\nrx_prio3_pause_duration: " + us + "\n";
        assertThat(rules(text).contains("pfc-storm")).isEqualTo(storm);
    }

    /** A link within IEEE 802.3's bit error ratio of 1e-12 damages a frame of 4 KB in 30 million. */
    @ParameterizedTest
    @CsvSource({"33, false", "34, true"})
    void damagedFramesAreMeasuredByTheBitErrorRatioOfALine(int wrong, boolean worthAWord) {
        assertThat(rules(" rx_crc_errors_phy: " + wrong + "\n rx_packets_phy: 1000000000\n")
                        .contains("damaged-frames"))
                .isEqualTo(worthAWord);
    }

    /** Pauses of one switch's ports are those of one buffer; another switch's are its own. */
    @Test
    void whoPausedIsAMatterOfTheWholeSwitch() {
        String lost = "# leaf0.port1: ethtool -S\n rx_prio3_discards: 5\n";
        assertThat(rules(lost + "# leaf0.port2: ethtool -S\n tx_prio3_pause: 5\n"))
                .containsExactly("pfc-headroom");
        assertThat(rules(lost + "# leaf1.port2: ethtool -S\n tx_prio3_pause: 5\n"))
                .containsExactly("pfc-off");
    }

    @Test
    void aPauseThatEndsByItselfIsNoStorm() {
        assertThat(rules(" rx_prio3_pause: 900\n rx_prio3_pause_transition: 880\n"))
                .isEmpty();
    }

    @Test
    void lossesWithoutACauseAtThePortsAreSaidToBeElsewhere() {
        String lost = hw("out_of_sequence:40", "packet_seq_err:2");
        assertThat(rules(lost + " rx_packets_phy: 100000\n")).containsExactly("loss-on-the-way");
        assertThat(rules(lost + " rx_packets_phy: 100000\n rx_prio3_discards: 40\n"))
                .as("a better explanation stands alone")
                .containsExactly("pfc-off");
        assertThat(rules(lost + " rx_packets_phy: 10000000\n"))
                .as("one in 250,000")
                .isEmpty();
    }

    @Test
    void nodesAreReadFromSysfsAndNumactl() {
        String nic = "/sys/class/infiniband/mlx5_0/device/numa_node:1\n";
        assertThat(rules(nic + "policy: bind\nnodebind: 0\nmembind: 1\n")).containsExactly("numa");
        assertThat(rules(nic + "nodebind: 1\nmembind: 1\n")).isEmpty();
        assertThat(rules(nic + "nodebind: 0 1\nmembind: 0 1\n"))
                .as("bound to no one node")
                .isEmpty();
        assertThat(rules(nic.replace(":1", ":-1") + "nodebind: 0\n"))
                .as("no NUMA")
                .isEmpty();
    }

    /** As pciutils 3.7 prints it. */
    @Test
    void lspciShowsDevicesThatMayNotOrCannot() {
        String ssd = """
            01:00.0 Non-Volatile memory controller: Intel Corporation NVMe Datacenter SSD
            \tControl: I/O- Mem+ BusMaster- SpecCycle-
            \t\tLnkCap:\tPort #0, Speed 16GT/s, Width x4
            \t\tLnkSta:\tSpeed 16GT/s (ok), Width x4 (ok)
            """;
        assertThat(rules(ssd)).containsExactly("bus-master-off");
        assertThat(rules(ssd.replace("BusMaster-", "BusMaster+"))).isEmpty();
        assertThat(rules(ssd.replace("BusMaster-", "BusMaster+").replace("Width x4 (ok)", "Width x2 (downgraded)")))
                .containsExactly("link-degraded");
        assertThat(rules(ssd.replace("Non-Volatile memory controller", "PCI bridge")))
                .as("bridges without devices are off")
                .isEmpty();
    }

    /** One interrupt a packet that waits for others in vain; 16 packets an interrupt are what moderation is for. */
    @ParameterizedTest
    @CsvSource({"1000, 50, true", "16000, 50, false", "1000, 0, false"})
    void moderationIsJudgedByWhatItJoins(int packets, int usecs, boolean worthAWord) {
        String text = "rx-usecs: " + usecs + "\n rx_packets_phy: " + packets
                + "\n  64:  600   400  PCI-MSIX-0000:3b:00.0   0-edge      mlx5_comp0@pci:0000:3b:00.0\n";
        assertThat(rules(text).contains("interrupt-moderation")).isEqualTo(worthAWord);
    }

    @Test
    void translationsAreReadFromPerf() {
        String text = "          1,000      dmar0/iotlb_lookup/\n            900      dmar0/iotlb_hit/      (50.00%)\n";
        assertThat(Counters.read(text).sum("iotlb_miss")).isEqualTo(100);
        assertThat(rules(text)).containsExactly("small-pages");
    }

    @Test
    void nothingIsKnownOfNothing() {
        assertThat(rules("")).isEmpty();
        assertThat(rules("{}")).isEmpty();
        assertThat(rules("{\"counters\": 7, \"stats\": [3, null], \"device_view\": {\"lines\": 1}}"))
                .isEmpty();
        assertThat(rules("dear all,\nmy network is slow: please help\n")).isEmpty();
    }
}

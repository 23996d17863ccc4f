package dev.clockwire.bench.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms in which people paste counters, and what is wrong with them. */
class PastesTest {
    private static long read(String text, String counter) {
        return Counters.read(text).sum(counter);
    }

    private static String remarks(String text) {
        return String.join("\n", Counters.read(text).remarks());
    }

    private static List<String> machines(String text) {
        return Counters.read(text).machines().stream().map(Machine::name).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_buffer:1543",
                "mlx5_0/ports/1/hw_counters/out_of_buffer:1543",
                "./ports/1/hw_counters/out_of_buffer:1543",
                "hw_counters/out_of_buffer:1543",
                "out_of_buffer:1543",
                "out_of_buffer 1543",
                "\tout_of_buffer:\t1543\r",
                "     out_of_buffer: 1,543",
                "out_of_buffer = 1543",
                "out_of_buffer=1543",
                "\ufeffout_of_buffer: 1543",
                "     out_of_buffer:\u00a01543",
                "link mlx5_0/1 rx_write_requests 0 out_of_buffer 1543 np_cnp_sent 4 ",
                "[{\"ifindex\":0,\"ifname\":\"mlx5_0\",\"port\":1,\"rx_write_requests\":0,\"out_of_buffer\":1543}]",
                "{\"ifname\":\"eth0\",\"out_of_buffer\":1543}",
                "root@a:~# ethtool -S eth0\r\nNIC statistics:\r\n     out_of_buffer: 1543\r\n",
            })
    void aCounterIsReadFromEveryForm(String text) {
        assertThat(read(text, "out_of_buffer")).isEqualTo(1543);
        assertThat(remarks(text)).isEmpty();
    }

    /** perfquery's names are those of the management datagram. */
    @Test
    void portCountersOfPerfquery() {
        String text = """
            # Port counters: Lid 4 port 1 (CapMask: 0x5300)
            PortSelect:......................1
            SymbolErrorCounter:..............3
            LinkDownedCounter:...............255
            PortRcvPkts:.....................77
            """;
        assertThat(read(text, "symbol_error")).isEqualTo(3);
        assertThat(read(text, "link_downed")).isEqualTo(255);
        assertThat(read(text, "port_rcv_packets")).isEqualTo(77);
        assertThat(remarks(text)).isEmpty();
    }

    @Test
    void valuesThatMeanNothingAreToldAndLeftOut() {
        String text = """
            rx_packets_phy: 18446744073709551615
            tx_packets_phy: -3
            rx_discards_phy: 12x
            rx_prio3_pause: 99999999999999999999999999
            rx_bytes_phy: 9223372036854775807
            numa_node: -1
            """;
        assertThat(Counters.read(text).sums()).containsOnlyKeys("rx_bytes_phy", "numa_node");
        assertThat(remarks(text))
                .contains(
                        "line 1 \"rx_packets_phy: 18446744073709551615\" (2^64-1 stands for no value)",
                        "line 2 \"tx_packets_phy: -3\" (counters are not negative)",
                        "line 3 \"rx_discards_phy: 12x\" (is no number)",
                        "and 1 more");
    }

    @Test
    void linesThatMeanNothingAreTold() {
        String text = "Dear all,\nmy network is slow, please help.\n\nrx_packets_phy: 5\n\u001b[31mred\u001b[0m\nBye\n";
        assertThat(remarks(text))
                .isEqualTo("4 lines mean nothing here: 1 \"Dear all,\", 2 \"my network is slow, please help.\","
                        + " 5 \"red\" and 1 more");
        assertThat(read(text, "rx_packets_phy")).isEqualTo(5);
        String longLine = "x".repeat(20_000);
        assertThat(remarks(longLine + "\nrx_packets_phy: 5")).startsWith("1 line means nothing here: 1 \"xxx");
    }

    @Test
    void whatStandsTwiceIsTold() {
        assertThat(remarks("rx_packets_phy: 5\nrx_packets_phy: 5\n")).isEmpty();
        String twice = "rx_packets_phy: 5\nrx_packets_phy: 9\n";
        assertThat(remarks(twice)).contains("rx_packets_phy (5, then 9)", "--before");
        assertThat(read(twice, "rx_packets_phy")).isEqualTo(9);
    }

    /** One device with one interface is one machine; of several each is judged alone. */
    @Test
    void devicesOfOnePasteAreKeptApart() {
        String one = """
            /sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_buffer:1
            $ ethtool -S ens2f0 | grep -E 'pack|pause'
             rx_packets_phy: 10
            /sys/class/infiniband/mlx5_0/device/numa_node:1
            """;
        assertThat(machines(one)).containsExactly("");
        String other =
                one.replace("mlx5_0", "mlx5_1").replace("ens2f0", "ens2f1").replace("buffer:1", "buffer:0");
        assertThat(machines(one + other)).containsExactly("ens2f0", "ens2f1", "mlx5_0", "mlx5_1");
        assertThat(remarks(one + other)).isEmpty();
        String links = """
            link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens2f0
            link mlx5_1/1 state ACTIVE physical_state LINK_UP netdev ens2f1
            """;
        assertThat(machines(links + one + other)).containsExactly("mlx5_0", "mlx5_1");
        assertThat(Diagnosis.of(Counters.read(links + one + other)).get(0).evidence())
                .isEqualTo("mlx5_0 out_of_buffer=1");
        assertThat(machines("# a: x\n" + one + "# b: x\n" + other)).containsExactly("a", "b");
        assertThat(machines(one + one.replace("ports/1", "ports/2"))).contains("mlx5_0", "mlx5_0/2");
    }

    /** Long lines of one kind of sign are where patterns take the square of their length: a minute, before. */
    @ParameterizedTest
    @ValueSource(strings = {" ", "a ", "/a", "a.", "1,", " 1", "#", "a_", ": ", "\t"})
    void longLinesAreReadInNoTime(String sign) {
        String line = sign.repeat(8000 / sign.length()) + "!\n";
        assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertThat(Counters.read(line.repeat(20)).sums()).isEmpty());
    }

    /** Objects of queue pairs are none of the port's counters. */
    @Test
    void resourcesAreNotCounters() {
        String text = """
            link mlx5_0/1 lqpn 178 rqpn 178 type RC state RTS rq-psn 1 sq-psn 2 pid 1 comm x
            link mlx5_0/1 cntn 4 lqpn 178 out_of_buffer 9
            """;
        assertThat(Counters.read(text).sums()).isEmpty();
        assertThat(remarks(text)).isEmpty();
    }

    /** A counter that a rule asks for is not passed over in silence when its value cannot be read. */
    @ParameterizedTest
    @ValueSource(strings = {"0x1f4", "812 (+5)", "\u096e\u0967\u0968", "1.234.567", "1\u2019234", "1e300", "many"})
    void whatIsNoNumberIsToldIfARuleAsksForIt(String value) {
        Verdict verdict = Diagnosis.of(null, Counters.read("out_of_sequence: " + value + "\nfirmware: 1.2.3\n"));
        assertThat(verdict.findings()).isEmpty();
        assertThat(verdict.notes()).contains("left out: \"out_of_sequence: " + value + "\" (is no number)");
        assertThat(String.join("", verdict.notes())).doesNotContain("firmware");
    }

    /** Counters that nobody has judged are not counters that are well. */
    @Test
    void countersOfOtherDriversAreTold() {
        Verdict bnxt = Diagnosis.of(null, Counters.read("max_retry_exceeded: 3\nrnr_naks_rcvd: 22\n"));
        assertThat(bnxt.lookedAt()).isEmpty();
        assertThat(bnxt.notes()).anyMatch(n -> n.startsWith("no rule knows any of these 2 counters"));
        Verdict mlx5 = Diagnosis.of(null, Counters.read("max_retry_exceeded: 3\nout_of_sequence: 0\n"));
        assertThat(mlx5.notes()).noneMatch(n -> n.startsWith("no rule"));
    }

    @Test
    void headAndTailPrintNamesAboveFiles() {
        String text = """
            ==> /sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence <==
            812

            ==> /sys/class/infiniband/mlx5_1/ports/1/hw_counters/out_of_sequence <==
            7
            """;
        assertThat(machines(text)).containsExactly("mlx5_0", "mlx5_1");
        assertThat(read(text, "out_of_sequence")).isEqualTo(819);
        assertThat(remarks(text)).isEmpty();
        assertThat(read("==> out_of_sequence <==\n5\n\n==> packet_seq_err <==\n6\n", "packet_seq_err"))
                .isEqualTo(6);
        assertThat(remarks("==> packet_seq_err <==\n\n6\n7\n")).isEqualTo("1 line means nothing here: 4 \"7\"");
    }

    @Test
    void coloursOfTerminalsAreNoPartOfValues() {
        String text =
                "\u001b[H\u001b[2J\u001b[01;31m\u001b[Kout_of_sequence\u001b[m\u001b[K: \u001b[1;31m812\u001b[0m\n";
        assertThat(read(text, "out_of_sequence")).isEqualTo(812);
        assertThat(remarks(text)).isEmpty();
    }
}

package dev.clockwire.bench.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever somebody pastes, nothing is thrown. */
class DiagnosisProperties {
    private static final List<String> PIECES = List.of(
            "# host0: ethtool -S eth0",
            "NIC statistics:",
            "     rx_prio3_pause: ",
            "rx_prio3_discards: 99999999999999999999999999",
            "/sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_buffer:",
            "/proc/",
            "/sys/a/b/c:",
            "link mlx5_0/1 rx_write_requests 1 x",
            "0: mlx5_0: pd 1 cq",
            "\tControl: I/O- BusMaster-",
            "01:00.0 Non-Volatile memory controller: x",
            "  64: 1 2 3 PCI-MSIX mlx5_comp0@",
            "1,,2 dmar0/iotlb_hit/",
            "numa_node: -1",
            "{\"counters\":[{\"host\":",
            "}]}",
            "-5",
            "18446744073709551615",
            "1,234",
            "\ufeff",
            "# Port counters: Lid 4 port 1 (CapMask: 0x5300)\n",
            "SymbolErrorCounter:..............65535\n",
            "[{\"ifname\":",
            "$ ethtool -S eth0\n",
            "link mlx5_0/1 rx_write_requests 1 out_of_buffer 4294967295\n",
            " 7",
            ":",
            "\u0000",
            "\n",
            "\r\n");

    @Provide
    Arbitrary<String> pastes() {
        Arbitrary<String> any = Arbitraries.strings().ofMaxLength(40);
        return Arbitraries.oneOf(Arbitraries.of(PIECES), any)
                .list()
                .ofMaxSize(60)
                .map(parts -> String.join("", parts));
    }

    @Property(tries = 500)
    void anyTextIsRead(@ForAll("pastes") String text) {
        assertThat(Diagnosis.of(Counters.read(text))).allSatisfy(f -> {
            assertThat(f.cause()).isNotBlank();
            assertThat(f.evidence()).isNotBlank();
            assertThat(f.cure()).isNotBlank();
        });
    }

    /** Nor of two pastes; and what two equal ones have counted in between is nothing but levels. */
    @Property(tries = 200)
    void anyTwoTextsAreCompared(@ForAll("pastes") String before, @ForAll("pastes") String after) {
        assertThat(Diagnosis.of(Counters.read(before), Counters.read(after)).notes())
                .allSatisfy(note -> assertThat(note).isNotBlank().hasSizeLessThan(2000));
        Counters none = Difference.of(Counters.read(after), Counters.read(after));
        assertThat(none.sum("rx_prio3_pause") + none.sum("out_of_buffer")).isZero();
    }

    /** A line that somebody adds and nobody knows changes nothing. */
    @Property(tries = 100)
    void unknownLinesAreIgnored(@ForAll("pastes") String text) {
        String counters = "NIC statistics:\n     rx_prio3_discards: 7\n";
        String more = text.replaceAll("[\\r\\n:{}#0-9]", " ");
        assertThat(Diagnosis.of(Counters.read(counters + "(" + more + ")\n" + counters)))
                .isEqualTo(Diagnosis.of(Counters.read(counters)));
    }
}

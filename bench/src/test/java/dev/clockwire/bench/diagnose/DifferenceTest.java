package dev.clockwire.bench.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two readings: what is between them, and what a counter that has become smaller means. */
class DifferenceTest {
    private static Counters between(String before, String after) {
        return Difference.of(Counters.read(before), Counters.read(after));
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "7           | 9          | 2          | ''",
                "4294967290  | 4          | 10         | wrapped at 2^32",
                "2147483648  | 0          | 0          | began anew",
                "2147483649  | 0          | 2147483647 | wrapped at 2^32",
                "9000000000  | 4          | 4          | began anew",
                "100         | 4          | 4          | began anew",
            },
            delimiter = '|')
    void aCounterThatHasBecomeSmaller(long before, long after, long difference, String told) {
        Counters all = between("out_of_buffer: " + before, "out_of_buffer: " + after);
        assertThat(all.sum("out_of_buffer")).isEqualTo(difference);
        assertThat(String.join("", all.remarks())).contains(told);
        assertThat(all.remarks()).hasSize(told.isEmpty() ? 0 : 1);
    }

    /** Settings and longest queues are what they are now; they are not differences. */
    @Test
    void whatDoesNotCountIsTakenAsItIs() {
        String before =
                "numa_node: 1\nrx-usecs: 8\ntx_prio3_queue_max: 900\noutbound_pci_stalled_wr: 40\nnodebind: 1\n";
        String after = before.replace("900", "950");
        assertThat(between(before, after).sums())
                .containsEntry("numa_node", 1L)
                .containsEntry("rx-usecs", 8L)
                .containsEntry("tx_prio3_queue_max", 950L)
                .containsEntry("outbound_pci_stalled_wr", 40L)
                .containsEntry("nodebind", 1L);
    }

    @Test
    void counterThatIsNewOrAtItsEndIsLeftOutAndTold() {
        String before = "symbol_error: 65535\nrx_packets_phy: 5\n";
        Counters all = between(before, before + "rx_discards_phy: 5\n");
        assertThat(all.sums()).containsOnlyKeys("rx_packets_phy");
        assertThat(all.remarks())
                .containsExactly(
                        "symbol_error: stands at its end and counts no more (perfquery -R clears it)",
                        "rx_discards_phy: only in the later reading, left out");
    }

    @Test
    void machinesAreComparedByNameAndASingleOneWithASingleOne() {
        assertThat(between("# a: x\nout_of_buffer: 5\n", "# b: x\nout_of_buffer: 9\n")
                        .sum("out_of_buffer"))
                .isEqualTo(4);
        String two = "# a: x\nout_of_buffer: 5\n# b: x\nout_of_buffer: 6\n";
        Counters all = between(two, two.replace("5", "15") + "# c: x\nout_of_buffer: 7\n");
        assertThat(all.sum("out_of_buffer")).isEqualTo(10);
        assertThat(all.remarks()).containsExactly("c out_of_buffer: only in the later reading, left out");
    }

    /** One pause a year is none of today; ten since boot are those of boots. */
    @Test
    void oldEventsAreNotAccused() {
        String old = "link_down_events_phy: 12\nrx_packets_phy: 5\n";
        assertThat(Diagnosis.of(Counters.read(old))).extracting(Finding::rule).containsExactly("link-flaps");
        assertThat(Diagnosis.of(between(old, old))).isEmpty();
        assertThat(Diagnosis.of(between(old, old.replace("12", "13"))))
                .extracting(Finding::evidence)
                .containsExactly("link_down_events_phy=1");
        assertThat(Diagnosis.of(Counters.read(old.replace("12", "9")))).isEmpty();
    }
}

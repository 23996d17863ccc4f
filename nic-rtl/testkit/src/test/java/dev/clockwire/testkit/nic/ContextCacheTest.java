package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.sim.KernelMode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What it costs that the chip holds only some QP contexts. */
class ContextCacheTest {
    private static Lab lab(int entries, int ways, KernelMode mode) {
        return ContextRounds.lab("qpc", entries, ways, mode);
    }

    private static long reading(Lab lab, String name) {
        return ContextRounds.reading(lab, "qpc", name);
    }

    @ParameterizedTest
    @CsvSource({"4, 4, 4, 4", "4, 4, 5, 100", "8, 1, 8, 8"})
    void inTurnsEitherAllStayOrNone(int entries, int ways, int qps, long misses) {
        Lab lab = lab(entries, ways, KernelMode.ACTIVITY);
        ContextRounds.rounds(lab, ContextRounds.pairs(lab, qps));
        assertThat(reading(lab, "misses"))
                .as("least recently used and one more than fits")
                .isEqualTo(misses);
        assertThat(reading(lab, "hits")).isEqualTo((long) ContextRounds.ROUNDS * qps - misses);
    }

    @Test
    void aMissCostsOneReadOfHostMemory() {
        Lab none = lab(0, 4, KernelMode.ACTIVITY);
        Lab small = lab(2, 2, KernelMode.ACTIVITY);
        long all = ContextRounds.rounds(none, ContextRounds.pairs(none, 3));
        long missing = ContextRounds.rounds(small, ContextRounds.pairs(small, 3));
        double each = (missing - all) / (3.0 * ContextRounds.ROUNDS);
        // 390 ns is the profile's payload read round trip; 256 bytes take 4 ns of a Gen5 x16 link
        assertThat(each).isBetween(380_000.0, 420_000.0);
    }

    @Test
    void aContextOnTheChipCostsNothingMore() {
        Lab none = lab(0, 4, KernelMode.ACTIVITY);
        Lab large = lab(16, 4, KernelMode.ACTIVITY);
        List<Pair> a = ContextRounds.pairs(none, 3);
        List<Pair> b = ContextRounds.pairs(large, 3);
        ContextRounds.rounds(none, a);
        ContextRounds.rounds(large, b);
        assertThat(ContextRounds.rounds(large, b)).isEqualTo(ContextRounds.rounds(none, a));
    }

    /** More WQEs at once than the device has room for in front of its lookup: their doorbells must not keep the contexts from coming. */
    @Test
    void doorbellsDoNotStandInTheWayOfContexts() {
        Lab lab = lab(1024, 4, KernelMode.ACTIVITY);
        List<Pair> pairs = ContextRounds.pairs(lab, 512);
        for (int r = 0; r < 4; r++) {
            for (Pair p : pairs) {
                new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 64);
            }
        }
        for (Pair p : pairs) {
            for (int r = 0; r < 4; r++) {
                assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
            }
        }
    }

    /** Doorbells of many queue pairs at once: they miss while others wait, and nothing is lost or reordered. */
    @ParameterizedTest
    @CsvSource({"1", "3", "12"})
    void manyAtOnce(int qps) {
        long[] hashes = new long[2];
        for (int i = 0; i < 2; i++) {
            Lab lab = lab(2, 1, i == 0 ? KernelMode.ACTIVITY : KernelMode.EXHAUSTIVE);
            List<Pair> pairs = ContextRounds.pairs(lab, qps);
            for (int r = 0; r < 10; r++) {
                for (Pair p : pairs) {
                    new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 64 + r);
                }
            }
            for (Pair p : pairs) {
                for (int r = 0; r < 10; r++) {
                    assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
                }
            }
            hashes[i] = lab.sim().traceHash();
            assertThat(reading(lab, "misses")).isPositive();
        }
        assertThat(hashes[0]).isEqualTo(hashes[1]);
    }
}

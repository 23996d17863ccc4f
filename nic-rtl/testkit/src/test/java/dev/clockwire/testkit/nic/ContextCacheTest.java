package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.LoopKind;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What it costs that the chip holds only some QP contexts. */
class ContextCacheTest {
    private static final int ROUNDS = 20;

    private static Lab lab(int entries, int ways, KernelMode mode) {
        LabSpec spec = new LabSpec(1, mode, LoopKind.AUTO, PayloadMode.BYTES, true, 0);
        return Lab.twoHosts(
                Profiles.named("cx7-400g")
                        .with("nic.cache.qpc_entries", Integer.toString(entries))
                        .with("nic.cache.qpc_ways", Integer.toString(ways)),
                spec);
    }

    private static List<Pair> pairs(Lab lab, int n) {
        List<Pair> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            all.add(new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL));
        }
        return all;
    }

    private static long reading(Lab lab, String name) {
        return lab.sim().stats().value(lab.a().nic().path() + ".qpcLookup." + name);
    }

    /** One WRITE of each pair in turn, each waited for. */
    private static long rounds(Lab lab, List<Pair> pairs) {
        long start = lab.sim().now();
        for (int r = 0; r < ROUNDS; r++) {
            for (Pair p : pairs) {
                new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 64);
                assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
            }
        }
        return lab.sim().now() - start;
    }

    @ParameterizedTest
    @CsvSource({"4, 4, 4, 4", "4, 4, 5, 100", "8, 1, 8, 8"})
    void inTurnsEitherAllStayOrNone(int entries, int ways, int qps, long misses) {
        Lab lab = lab(entries, ways, KernelMode.ACTIVITY);
        rounds(lab, pairs(lab, qps));
        assertThat(reading(lab, "misses"))
                .as("least recently used and one more than fits")
                .isEqualTo(misses);
        assertThat(reading(lab, "hits")).isEqualTo((long) ROUNDS * qps - misses);
    }

    @Test
    void aMissCostsOneReadOfHostMemory() {
        Lab none = lab(0, 4, KernelMode.ACTIVITY);
        Lab small = lab(2, 2, KernelMode.ACTIVITY);
        long all = rounds(none, pairs(none, 3));
        long missing = rounds(small, pairs(small, 3));
        double each = (missing - all) / (3.0 * ROUNDS);
        // 390 ns is the profile's payload read round trip; 256 bytes take 4 ns of a Gen5 x16 link
        assertThat(each).isBetween(380_000.0, 420_000.0);
    }

    @Test
    void aContextOnTheChipCostsNothingMore() {
        Lab none = lab(0, 4, KernelMode.ACTIVITY);
        Lab large = lab(16, 4, KernelMode.ACTIVITY);
        List<Pair> a = pairs(none, 3);
        List<Pair> b = pairs(large, 3);
        rounds(none, a);
        rounds(large, b);
        assertThat(rounds(large, b)).isEqualTo(rounds(none, a));
    }

    /** More WQEs at once than the device has room for in front of its lookup: their doorbells must not keep the contexts from coming. */
    @Test
    void doorbellsDoNotStandInTheWayOfContexts() {
        Lab lab = lab(1024, 4, KernelMode.ACTIVITY);
        List<Pair> pairs = pairs(lab, 512);
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
            List<Pair> pairs = pairs(lab, qps);
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

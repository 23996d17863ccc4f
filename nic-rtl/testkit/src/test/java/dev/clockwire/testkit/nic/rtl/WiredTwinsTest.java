package dev.clockwire.testkit.nic.rtl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.profile.QueueSpec;
import dev.clockwire.nic.profile.RateSpec;
import dev.clockwire.nic.rate.RateGate;
import dev.clockwire.nic.sched.QpArbiter;
import dev.clockwire.roce.congestion.DcqcnSpec;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.roce.congestion.VendorDcqcnSpec;
import dev.clockwire.sim.random.RandomStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks as the device has wired them, lazy and asked only when something may change, beside Verilog that does every cycle. */
class WiredTwinsTest {
    private static final int CYCLES = 100_000;
    private static final long LINE = 100_000_000_000L;
    private static final int US = 1_000_000;

    @TempDir
    private Path folder;

    /** Reaction point, its rate in the bucket's unit, and the bucket: packets leave in the same cycles with the same tokens left. */
    @ParameterizedTest
    @CsvSource({
        "false, 1, 55, 55, 1000000, 0.002, 0",
        "false, 2, 13, 300, 20000, 0.0005, 0",
        "false, 3, 700, 41, 50000, 0.0004, 655360",
        "true, 4, 4, 300, 1, 0.0002, 0",
        "true, 5, 1, 7, 1, 0.003, 0",
        "true, 6, 50, 20, 1, 0.05, 20971520",
    })
    void pacedReactionPoint(
            boolean vendor, long seed, int monitorOrK, int resetOrT, int byteCounter, double congestion, long set) {
        int perUs = vendor ? 8 : 250;
        int largest = vendor ? 9000 : 4096;
        long burst = 2L * largest;
        RateSpec spec = new RateSpec(
                0,
                false,
                false,
                false,
                vendor ? RateSpec.Dcqcn.VENDOR : RateSpec.Dcqcn.PAPER,
                (long) perUs * US,
                LINE,
                1 << 24, // the twin's bucket keeps its depth
                new DcqcnSpec(
                        LINE,
                        100_000_000,
                        8,
                        monitorOrK,
                        resetOrT,
                        byteCounter(byteCounter),
                        5,
                        40_000_000,
                        400_000_000),
                new VendorDcqcnSpec(
                        (int) (LINE / US), 1019, 1023, 11, 50, 1, monitorOrK, resetOrT, 1, 5, 50, false, true));
        RateGate gate = new RateGate(spec);
        gate.change(new TokenBucketSpec(set, TokenBucketSpec.REGISTER_BITS, burst), 0, false);
        RandomStream random = new RandomStream(seed);
        List<String> stimulus = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        boolean waits = false;
        long size = 1;
        long asked = 0;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            boolean notified = random.chance(congestion);
            if (notified) {
                gate.notification(cycle);
            }
            if (!waits) {
                waits = random.chance(0.6);
                size = 1L + random.below(largest);
            }
            stimulus.add(Long.toHexString((notified ? 1L << 31 : 0) | (waits ? 1L << 30 : 0) | size));
            if (waits && !gate.holds(cycle)) {
                asked++;
                if (gate.pass(cycle, size, true, size, 1)) {
                    expected.add(cycle + " " + gate.tokens(cycle));
                    waits = false;
                }
            }
        }
        assertThat(expected).hasSizeGreaterThan(300);
        assertThat(asked).as("questions in so many cycles").isLessThan(CYCLES / 2 + expected.size());
        Rtl.of(folder, "reaction_point.v", "vendor_reaction_point.v", "token_bucket.v", "bench_reaction_gate.v")
                .with("N", CYCLES)
                .with("VENDOR", vendor ? 1 : 0)
                .with("HZ_PER_US", perUs)
                .with("K", monitorOrK)
                .with("T", resetOrT)
                .with("B", byteCounter(byteCounter))
                .with("MONITOR", monitorOrK)
                .with("TIME_RESET", resetOrT)
                .with("BURST", burst)
                .with("SET", set)
                .words("stimulus", stimulus)
                .isTheSameAs(expected);
    }

    /** What a packet counts is never more than one increase: larger ones are a matter of the rules, not of the wiring. */
    private static long byteCounter(int given) {
        return Math.max(given, 9000);
    }

    /** The ring by which the scheduler, the send engine and the response engine take turns. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16, 55})
    void readyRing(int queues) {
        QpArbiter arbiter = QpArbiter.of(QueueSpec.Policy.RR, new ContextTable());
        RandomStream random = new RandomStream(queues);
        List<String> stimulus = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            boolean join = random.chance(0.5);
            int queue = random.below(queues);
            boolean scan = random.chance(0.7);
            boolean again = random.chance(0.6);
            long some = random.nextLong();
            long mayGo = some & random.nextLong() & ((1L << queues) - 1);
            stimulus.add(Long.toHexString((again ? 1L << 63 : 0)
                    | (scan ? 1L << 62 : 0)
                    | (join ? 1L << 61 : 0)
                    | (long) queue << 55
                    | mayGo));
            if (join) {
                arbiter.add(queue);
            }
            if (scan) {
                int winner = scan(arbiter, mayGo, again);
                if (winner >= 0) {
                    expected.add(cycle + " " + winner);
                }
            }
        }
        assertThat(expected).hasSizeGreaterThan(CYCLES / 10);
        Rtl.of(folder, "ready_ring.v", "bench_ready_ring.v")
                .with("N", CYCLES)
                .with("QUEUES", queues)
                .words("stimulus", stimulus)
                .isTheSameAs(expected);
    }

    private static int scan(QpArbiter arbiter, long mayGo, boolean again) {
        arbiter.begin();
        for (int n = arbiter.size(); n > 0; n--) {
            int q = arbiter.next();
            if ((mayGo >>> q & 1) != 0) {
                arbiter.granted(q);
                if (again) {
                    arbiter.add(q);
                }
                return q;
            }
            arbiter.pass(q);
        }
        return -1;
    }
}

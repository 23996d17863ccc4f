package dev.clockwire.bench.fabric.experiment;

import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.Topology;
import java.util.List;

/** Experiments 9 and 10: marks that begin too early, and too late. */
final class Thresholds {
    private static final long BYTES = 100_000_000;
    private static final double IDEAL = SetUp.lineUs(200_000);

    private Thresholds() {}

    private static NetworkSpec two(long delayUs, int mib, int headroom, MarkSpec marks) {
        return SetUp.fabric(Topology.star(3, SetUp.KBPS, delayUs * SetUp.US), mib, SetUp.vendor(), marks, headroom)
                .withFlows(SetUp.incast(2, BYTES));
    }

    private static Case far(int kmin, int kmax, double p, double ms) {
        return new Case(
                "Kmin " + kmin + " KB, RTT 40 us",
                two(10, 8, 10 * SetUp.HEADROOM, MarkSpec.of(kmin * 1000L, kmax * 1000L, p)),
                40 * SetUp.MS,
                true,
                List.of(new Check("last completion, us", ms * 950, ms * 1060, Outcome::last)));
    }

    private static Case near(int kmin, int kmax, double p, double lowMs, double highMs) {
        return new Case(
                "Kmin " + kmin + " KB, RTT 4 us",
                two(1, 4, SetUp.HEADROOM, MarkSpec.of(kmin * 1000L, kmax * 1000L, p)),
                40 * SetUp.MS,
                true,
                List.of(new Check("last completion, us", lowMs * 1000, highMs * 1000, Outcome::last)));
    }

    static Experiment tooLow() {
        return new Experiment(
                "ecn-low",
                "marks that begin too early cost throughput, the more the longer the way",
                "ns-3 with HPCC: 20.8, 20.7, 19.1, 18.6 ms at 40 us; 17.3 to 17.7 ms at 4 us",
                List.of(
                        far(1, 2, 1, 20.8),
                        far(5, 20, 1, 20.7),
                        far(100, 400, 0.2, 19.1),
                        far(400, 1600, 0.2, 18.6),
                        near(1, 2, 1, 16.8, 18.2),
                        near(400, 1600, 0.2, 16.8, 18.4)));
    }

    private static Case late(int kmin, int kmax) {
        return new Case(
                "Kmin " + kmin + " KB",
                two(1, 4, SetUp.HEADROOM, MarkSpec.of(kmin * 1000L, kmax * 1000L, 0.2)),
                40 * SetUp.MS,
                false,
                List.of(
                        Check.exactly("notifications", 0, o -> o.result().cnps()),
                        new Check("pauses", 2650, 4450, o -> o.result().pauses()),
                        new Check("last completion, us", IDEAL, IDEAL * 1.002, Outcome::last),
                        Check.exactly("drops", 0, o -> o.result().drops())));
    }

    static Experiment tooHigh() {
        return new Experiment(
                "ecn-high",
                "marks that begin above XOFF never come: pauses rule",
                "ns-3 with HPCC: no notification, 3544 pauses, full use",
                List.of(
                        late(1600, 3200),
                        late(4000, 8000),
                        new Case(
                                "Kmin 400 KB",
                                two(1, 4, SetUp.HEADROOM, SetUp.VENDOR_MARKS),
                                40 * SetUp.MS,
                                true,
                                List.of(
                                        new Check(
                                                "notifications",
                                                100,
                                                2000,
                                                o -> o.result().cnps()),
                                        new Check(
                                                "pauses", 0, 5, o -> o.result().pauses())))));
    }
}

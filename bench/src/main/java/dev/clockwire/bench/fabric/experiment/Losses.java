package dev.clockwire.bench.fabric.experiment;

import dev.clockwire.bench.fabric.FabricResult;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.Topology;
import java.util.ArrayList;
import java.util.List;

/** Experiments 6 and 8: losses on a cable, and losses because the headroom is too small. */
final class Losses {
    private static final long BYTES = 20_000_000;
    private static final long PACKETS = 20_000;
    /** Packets under way in a round trip of 4.2 us. */
    private static final double WINDOW = 52;

    private static final long TIMEOUT_PS = 131 * SetUp.US; // code 5: 4.096 us x 32

    private Losses() {}

    private static Case lossy(double p, LightSpec.Repeat repeat, double low, double high) {
        Topology line = new Topology.Builder()
                .switches("switch")
                .host("b", "switch", SetUp.KBPS, SetUp.US)
                .build();
        List<CableSpec> cables = new ArrayList<>(line.cables());
        cables.add(new CableSpec("a", "switch", SetUp.KBPS, SetUp.US, p));
        Topology both = new Topology(List.of("b", "a"), line.switches(), cables);
        LightSpec hosts = SetUp.hosts(null).withRepeat(repeat, 0, TIMEOUT_PS, 7);
        NetworkSpec net = SetUp.fabric(both, 32, null, MarkSpec.NONE)
                .withLight(hosts)
                .withFlows(List.of(SetUp.flow("flow0", 1, 0, BYTES, 0)));
        boolean all = repeat == LightSpec.Repeat.GO_BACK_N;
        double ideal = SetUp.lineUs(PACKETS) + 4.2;
        List<Check> checks = new ArrayList<>();
        checks.add(new Check("share of the lossless rate", low, high, o -> ideal / o.last()));
        if (all) {
            double factor = 1 / (1 + WINDOW * p);
            checks.add(new Check(
                    "share before timeouts",
                    factor * 0.95,
                    Math.min(1, factor * 1.05),
                    o -> ideal / beforeTimeouts(o)));
        }
        if (p == 0.001) {
            checks.add(
                    all
                            ? new Check(
                                    "packets sent again for each NAK", WINDOW - 2, WINDOW + 2, o -> o.resentPerNak(0))
                            : new Check("packets sent again for each loss to expect", 0.7, 1.3, o -> {
                                FabricResult r = o.result();
                                return r.flows().get(0).retransmissions() / (p * r.dataPackets());
                            }));
        }
        return new Case((all ? "go-back-N" : "selective repeat") + ", loss " + p, net, 200 * SetUp.MS, true, checks);
    }

    /** Returns the time without that which was spent waiting for the acknowledgement timer, in us. */
    private static double beforeTimeouts(Outcome o) {
        return o.last() - o.timeouts(0) * TIMEOUT_PS / (double) SetUp.US;
    }

    static Experiment recovery() {
        return new Experiment(
                "recovery",
                "go-back-N pays a round trip for each loss, selective repeat a packet",
                "closed form 1 / (1 + 52 p) and 1 - p; ns-3 with HPCC 52.0 packets a loss",
                List.of(
                        lossy(0.0001, LightSpec.Repeat.GO_BACK_N, 0.985, 1),
                        lossy(0.001, LightSpec.Repeat.GO_BACK_N, 0.91, 0.975),
                        lossy(0.01, LightSpec.Repeat.GO_BACK_N, 0.45, 0.7),
                        lossy(0.001, LightSpec.Repeat.SELECTIVE, 0.985, 1),
                        lossy(0.01, LightSpec.Repeat.SELECTIVE, 0.97, 1)));
    }

    private static NetworkSpec headroom(int bytes, long delayPs) {
        LightSpec hosts = SetUp.hosts(null).withRepeat(LightSpec.Repeat.GO_BACK_N, 500 * SetUp.US, TIMEOUT_PS, 7);
        return SetUp.fabric(Topology.star(9, SetUp.KBPS, delayPs), 4, null, MarkSpec.NONE, bytes)
                .withLight(hosts)
                .withFlows(SetUp.incast(8, 2_000_000));
    }

    private static Case enough(int bytes, int delayUs) {
        double ideal = SetUp.lineUs(16_000);
        return new Case(
                bytes + " B, " + delayUs + " us",
                headroom(bytes, delayUs * SetUp.US),
                20 * SetUp.MS,
                false,
                List.of(
                        Check.exactly("drops", 0, o -> o.result().drops()),
                        new Check("last completion, us", ideal, ideal * 1.01 + 6 * delayUs, Outcome::last)));
    }

    private static Case tooSmall(int bytes, int delayUs, double least, double most) {
        return new Case(
                bytes + " B, " + delayUs + " us",
                headroom(bytes, delayUs * SetUp.US),
                20 * SetUp.MS,
                false,
                List.of(new Check("drops", least, most, o -> o.result().drops())));
    }

    static Experiment headroom() {
        return new Experiment(
                "headroom",
                "headroom short by one frame loses; the edge moves with the cable; without any, timers alone bring progress",
                "IEEE 802.1Q in closed form: 25 frames of 1048 B at 1 us, 49 at 2 us; ns-3 with HPCC",
                List.of(
                        enough(26_200, 1),
                        tooSmall(26_199, 1, 1, 2000),
                        tooSmall(20_000, 1, 500, 60_000),
                        enough(49 * 1048, 2),
                        tooSmall(49 * 1048 - 1, 2, 1, 4000),
                        new Case(
                                "0 B, 1 us",
                                headroom(0, SetUp.US),
                                100 * SetUp.MS,
                                false,
                                List.of(
                                        new Check(
                                                "drops",
                                                1000,
                                                1e6,
                                                o -> o.result().drops()),
                                        new Check("last completion, us", 3000, 100_000, Outcome::last))),
                        new Case(
                                "0 B, 1 us, no timers",
                                headroom(0, SetUp.US).withLight(SetUp.hosts(null)),
                                8 * SetUp.MS,
                                false,
                                List.of(
                                        new Check(
                                                "drops",
                                                10_000,
                                                60_000,
                                                o -> o.result().drops()),
                                        new Check("flows that end", 0, 1, Outcome::finished)))));
    }
}

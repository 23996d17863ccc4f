package dev.clockwire.bench.fabric.experiment;

import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.Topology;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Experiments 5 and 5b: a flow that has no part in a congestion, but shares a link with those that have. */
final class Victim {
    private static final long BYTES = 200_000_000;
    private static final long FORTY = 40_000_000;
    private static final double FROM = 2000;
    private static final double TO = 10_000;

    private Victim() {}

    /** Hosts 0 to 2 at one switch, 3 to 6 at the other; 5 is the receiver of all but 2's flow, which goes to 6. */
    private static NetworkSpec lot(boolean others, @Nullable RateRules rules, MarkSpec marks) {
        Topology.Builder b = new Topology.Builder().switches("s1", "s2");
        for (int i = 0; i < 7; i++) {
            b.host("host" + i, i < 3 ? "s1" : "s2", SetUp.KBPS, SetUp.US);
        }
        b.cable("s1", "s2", SetUp.KBPS, SetUp.US);
        List<FlowSpec> flows = new ArrayList<>(List.of(
                SetUp.flow("flow0", 0, 5, BYTES, 0),
                SetUp.flow("flow1", 1, 5, BYTES, 0),
                SetUp.flow("victim", 2, 6, BYTES, 0)));
        if (others) {
            flows.add(SetUp.flow("flow3", 3, 5, BYTES, 0));
            flows.add(SetUp.flow("flow4", 4, 5, BYTES, 0));
        }
        return SetUp.fabric(b.build(), 4, rules, marks).withFlows(flows);
    }

    private static Case of(String name, NetworkSpec net, boolean random, double low, double high) {
        return new Case(
                name,
                net,
                10 * SetUp.MS,
                random,
                List.of(
                        new Check("victim 2-10 ms, Gb/s", low, high, o -> o.goodput("victim", FROM, TO)),
                        Check.exactly("drops", 0, o -> o.result().drops())));
    }

    static Experiment parkingLot() {
        return new Experiment(
                "victim",
                "pauses cut a flow down that has no part in the congestion; with DCQCN it gets what is left",
                "ns-3 with HPCC: 15.85 Gb/s; ten seeds with DCQCN 40.4 to 50.7 (vendor), 43.9 to 59.9 (paper)",
                List.of(
                        of("pauses only", lot(true, null, MarkSpec.NONE), false, 15.4, 16.4),
                        of("vendor", lot(true, SetUp.vendor(), SetUp.VENDOR_MARKS), true, 38, 56),
                        of("paper", lot(true, SetUp.paper(), SetUp.PAPER_MARKS), true, 38, 62),
                        of("pauses only, two senders", lot(false, null, MarkSpec.NONE), false, 30, 33.5)));
    }

    /** The testbed of the paper: four racks, two leaves for each two of them, two spines; 40 Gb/s everywhere. */
    private static NetworkSpec clos(int seed, int elsewhere, @Nullable RateRules rules, MarkSpec marks) {
        Topology.Builder b =
                new Topology.Builder().switches("t1", "t2", "t3", "t4", "l1", "l2", "l3", "l4", "s1", "s2");
        String[] hosts = {"h11", "h12", "h13", "h14", "vs", "vr", "h31", "h32", "r"};
        String[] racks = {"t1", "t1", "t1", "t1", "t1", "t2", "t3", "t3", "t4"};
        for (int i = 0; i < hosts.length; i++) {
            b.host(hosts[i], racks[i], FORTY, SetUp.US);
        }
        for (int t = 1; t <= 4; t++) {
            int pod = t <= 2 ? 1 : 3;
            b.cable("t" + t, "l" + pod, FORTY, SetUp.US).cable("t" + t, "l" + (pod + 1), FORTY, SetUp.US);
        }
        for (int l = 1; l <= 4; l++) {
            b.cable("l" + l, "s1", FORTY, SetUp.US).cable("l" + l, "s2", FORTY, SetUp.US);
        }
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            flows.add(SetUp.flow(hosts[i] + "." + seed, i, 8, BYTES, 0));
        }
        flows.add(SetUp.flow("victim." + seed, 4, 5, BYTES, 0));
        for (int i = 0; i < elsewhere; i++) {
            flows.add(SetUp.flow(hosts[6 + i] + "." + seed, 6 + i, 8, BYTES, 0));
        }
        return SetUp.fabric(b.build(), 12, rules, marks, 15_000).withFlows(flows);
    }

    /** Names differ from seed to seed: the flows take other ways. */
    private static Case of(
            String name, int elsewhere, @Nullable RateRules rules, MarkSpec marks, double low, double high) {
        return new Case(
                name,
                seed -> clos(seed, elsewhere, rules, marks),
                20 * SetUp.MS,
                true,
                List.of(new Check(
                        "victim, median, Gb/s",
                        low,
                        high,
                        true,
                        o -> o.result().flows().get(4).goodputGbps())));
    }

    static Experiment clos() {
        RateRules forty = SetUp.paperForty();
        MarkSpec marks = MarkSpec.of(5000, 200_000, 0.01);
        return new Experiment(
                "victim-clos",
                "pauses spread over racks: senders in a third rack take a flow's rate that they never meet",
                "DCQCN, SIGCOMM 2015, figures 4 and 9: 10 Gb/s, then 4.5; with DCQCN no fall",
                List.of(
                        of("pauses only", 0, null, MarkSpec.NONE, 7, 13),
                        of("pauses only, two more senders", 2, null, MarkSpec.NONE, 3, 7),
                        of("paper", 0, forty, marks, 12, 40),
                        of("paper, two more senders", 2, forty, marks, 12, 40)));
    }
}

package dev.clockwire.bench.fabric.experiment;

import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.Topology;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Experiments 3, 4 and 4b: many senders and one receiver. */
final class Incast {
    private static final long BYTES = 2_000_000;
    private static final long PACKETS = 2000;

    private Incast() {}

    private static NetworkSpec net(int senders, int mib, @Nullable RateRules rules, MarkSpec marks) {
        return SetUp.fabric(Topology.star(senders + 1, SetUp.KBPS, SetUp.US), mib, rules, marks)
                .withFlows(SetUp.incast(senders, BYTES));
    }

    private static Case paused(int senders, int mib, double queue, double pauses) {
        double ideal = SetUp.lineUs(senders * PACKETS);
        List<Check> checks = new ArrayList<>(List.of(
                Check.exactly("drops", 0, o -> o.result().drops()),
                new Check("last completion, us", ideal + 3, ideal + 6, Outcome::last),
                new Check("spread, %", 0, 2, Outcome::spread),
                new Check(
                        "pauses", pauses * 0.75, pauses * 1.25, o -> o.result().pauses())));
        if (queue > 0) {
            checks.add(new Check("longest queue, B", queue * 0.98, queue * 1.02, Outcome::maxQueue));
        }
        NetworkSpec net = net(senders, mib, null, MarkSpec.NONE);
        return new Case(senders + ":1, " + mib + " MiB", net, 20 * SetUp.MS, false, checks);
    }

    static Experiment pausesOnly() {
        return new Experiment(
                "incast-pfc",
                "pauses alone: nothing is lost, all end together, queues as the buffer's law says",
                "dynamic threshold in closed form; pauses of ns-3 with HPCC",
                List.of(
                        paused(8, 4, 2.150e6, 420),
                        paused(8, 32, 0, 0),
                        paused(32, 4, 3.217e6, 1486),
                        paused(32, 32, 26.705e6, 1314)));
    }

    private static Case marked(
            String name, NetworkSpec net, double leastPauses, double mostPauses, double leastUs, double mostUs) {
        return new Case(
                name,
                net,
                20 * SetUp.MS,
                true,
                List.of(
                        new Check(
                                "pauses",
                                leastPauses,
                                mostPauses,
                                o -> o.result().pauses()),
                        new Check("mean completion, us", leastUs, mostUs, Outcome::mean),
                        Check.exactly("drops", 0, o -> o.result().drops())));
    }

    static Experiment withDcqcn() {
        return new Experiment(
                "incast-dcqcn",
                "DCQCN makes pauses rare; short bursts take longer, since it cuts a start at line rate too deep",
                "ns-3 with HPCC, ten seeds for vendor 4 MiB",
                List.of(
                        marked("8:1, 4 MiB, vendor", net(8, 4, SetUp.vendor(), SetUp.VENDOR_MARKS), 3, 32, 1750, 2080),
                        marked("8:1, 4 MiB, paper", net(8, 4, SetUp.paper(), SetUp.PAPER_MARKS), 40, 170, 1400, 1600),
                        marked(
                                "32:1, 4 MiB, vendor",
                                net(32, 4, SetUp.vendor(), SetUp.VENDOR_MARKS),
                                200,
                                400,
                                5200,
                                6200),
                        marked(
                                "32:1, 4 MiB, paper",
                                net(32, 4, SetUp.paper(), SetUp.PAPER_MARKS),
                                800,
                                1500,
                                4800,
                                5400),
                        marked(
                                "32:1, 32 MiB, vendor",
                                net(32, 32, SetUp.vendor(), SetUp.VENDOR_MARKS),
                                0,
                                60,
                                5000,
                                6400)));
    }

    static Experiment longQueue() {
        RateRules forty = SetUp.paperForty();
        Topology star = Topology.star(21, 40_000_000, SetUp.US);
        MarkSpec marks = MarkSpec.of(5000, 200_000, 0.01);
        NetworkSpec with = SetUp.fabric(star, 12, forty, marks, 15_000).withFlows(SetUp.incast(20, 50_000_000));
        NetworkSpec without =
                SetUp.fabric(star, 12, null, MarkSpec.NONE, 15_000).withFlows(SetUp.incast(20, 50_000_000));
        String port = "switch->host20";
        return new Experiment(
                "incast-queue",
                "the queue of a long incast of 20 at 40 Gb/s, the paper's values",
                "DCQCN, SIGCOMM 2015 (76.6 KB on its testbed); ns-3 with HPCC 224 KB",
                List.of(
                        new Case(
                                "paper",
                                with,
                                58 * SetUp.MS,
                                true,
                                List.of(new Check(
                                        "p90 queue 30-58 ms, B",
                                        70e3,
                                        260e3,
                                        o -> o.queue(port, 0.9, 30_000, 58_000)))),
                        new Case(
                                "pauses only",
                                without,
                                10 * SetUp.MS,
                                false,
                                List.of(new Check(
                                        "p90 queue, B", 2.6e6, 12e6, o -> o.queue(port, 0.9, 2000, 10_000))))));
    }
}

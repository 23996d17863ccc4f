package dev.clockwire.bench.fabric.experiment;

import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.Topology;
import java.util.List;

/** Experiments 1, 2 and 2b: one flow alone, and how two share a link. */
final class Fairness {
    private static final String BOTTLENECK = "switch->host2";
    private static final double JOIN = 5000;
    private static final double END = 20_000;
    /** The reference's links run 1.01 % fast; 1 % for the scatter of means besides. */
    private static final double LEAST = 0.98;

    private Fairness() {}

    static Experiment single() {
        NetworkSpec net = SetUp.fabric(Topology.star(2, SetUp.KBPS, SetUp.US), 32, SetUp.vendor(), SetUp.VENDOR_MARKS)
                .withFlows(List.of(SetUp.flow("flow0", 0, 1, 50_000_000, 0)));
        double line = SetUp.lineUs(50_000);
        return new Experiment(
                "single-flow",
                "one flow without congestion runs at line rate, unmarked and unpaused",
                "arithmetic: 50,000 frames of 83.84 ns, two cables and a store-and-forward",
                List.of(new Case(
                        "alone",
                        net,
                        50 * SetUp.MS,
                        false,
                        List.of(
                                new Check("completion, us", line + 4, line + 4.4, Outcome::last),
                                Check.exactly(
                                        "notifications", 0, o -> o.result().cnps()),
                                Check.exactly("pauses", 0, o -> o.result().pauses())))));
    }

    private static NetworkSpec two(RateRules rules, MarkSpec marks) {
        List<FlowSpec> flows = List.of(
                SetUp.flow("flow0", 0, 2, 250_000_000, 0), SetUp.flow("flow1", 1, 2, 150_000_000, 5 * SetUp.MS));
        return SetUp.fabric(Topology.star(3, SetUp.KBPS, SetUp.US), 32, rules, marks)
                .withFlows(flows);
    }

    static Experiment vendor() {
        return new Experiment(
                "two-flows",
                "a second flow joins at 5 ms, vendor values: fair at once, full after a dip",
                "ns-3 with HPCC, ten seeds (its links are 1 % fast)",
                List.of(new Case(
                        "vendor",
                        two(SetUp.vendor(), SetUp.VENDOR_MARKS),
                        20 * SetUp.MS,
                        true,
                        List.of(
                                new Check("sum 5-6 ms, Gb/s", 68.6 * LEAST, 81.6, o -> o.sum(JOIN, 6000)),
                                new Check("sum 6-8 ms, Gb/s", 84.0 * LEAST, 94.1, o -> o.sum(6000, 8000)),
                                new Check("sum 8-12 ms, Gb/s", 91.6 * LEAST, 94.6, o -> o.sum(8000, 12_000)),
                                new Check("sum 12-20 ms, Gb/s", 95.1 * LEAST, 95.9, o -> o.sum(12_000, END)),
                                new Check("Jain 6-8 ms", 0.99, 1, o -> o.jain(6000, 8000)),
                                new Check("Jain 12-20 ms", 0.999, 1, o -> o.jain(12_000, END)),
                                new Check("mean queue, B", 120e3, 260e3, o -> o.meanQueue(BOTTLENECK, 6000, END)),
                                new Check("p99 queue, B", 350e3, 700e3, o -> o.queue(BOTTLENECK, 0.99, 6000, END)),
                                Check.exactly("drops", 0, o -> o.result().drops())))));
    }

    static Experiment paper() {
        RateRules forty = SetUp.paperForty();
        NetworkSpec old = SetUp.fabric(
                        Topology.star(3, 40_000_000, SetUp.US), 12, forty, MarkSpec.of(5000, 200_000, 0.01))
                .withFlows(
                        List.of(SetUp.flow("flow0", 0, 2, 200_000_000, 0), SetUp.flow("flow1", 1, 2, 200_000_000, 0)));
        return new Experiment(
                "two-flows-paper",
                "the same with the paper's values: short queues, fairness only slowly",
                "ns-3 with HPCC, ten seeds; DCQCN, SIGCOMM 2015",
                List.of(
                        new Case(
                                "100 Gb/s",
                                two(SetUp.paper(), SetUp.PAPER_MARKS),
                                20 * SetUp.MS,
                                true,
                                List.of(
                                        new Check("sum 12-20 ms, Gb/s", 92.7 * LEAST, 93.9, o -> o.sum(12_000, END)),
                                        new Check("Jain 12-20 ms", 0.925, 1, o -> o.jain(12_000, END)),
                                        new Check("mean queue, B", 20e3, 60e3, o -> o.meanQueue(BOTTLENECK, 6000, END)),
                                        new Check(
                                                "p99 queue, B",
                                                100e3,
                                                320e3,
                                                o -> o.queue(BOTTLENECK, 0.99, 6000, END)))),
                        new Case(
                                "40 Gb/s",
                                old,
                                40 * SetUp.MS,
                                true,
                                List.of(
                                        new Check("sum 20-40 ms, Gb/s", 37, 38.2, o -> o.sum(20_000, 40_000)),
                                        new Check(
                                                "p90 queue, B",
                                                40e3,
                                                120e3,
                                                o -> o.queue(BOTTLENECK, 0.9, 20_000, 40_000))))));
    }
}

package dev.clockwire.bench.fabric.experiment;

import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.bridge.WatchdogSpec;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.Topology;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Experiment 7: a ring of five switches in which each flow goes two steps. */
final class Deadlocks {
    private static final int SWITCHES = 5;
    private static final long BYTES = 60_000_000;

    private Deadlocks() {}

    private static NetworkSpec ring(@Nullable RateRules rules, MarkSpec marks) {
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < SWITCHES; i++) {
            flows.add(SetUp.flow("flow" + i, i, (i + 2) % SWITCHES, BYTES, 0));
        }
        return SetUp.fabric(Topology.ring(SWITCHES, 1, SetUp.KBPS, SetUp.US), 4, rules, marks)
                .withFlows(flows);
    }

    private static Case free(String name, RateRules rules, MarkSpec marks, double low, double high) {
        return new Case(
                name,
                ring(rules, marks),
                30 * SetUp.MS,
                true,
                List.of(
                        Check.exactly("flows that end", SWITCHES, Outcome::finished),
                        new Check("last completion, us", low, high, Outcome::last),
                        new Check("pauses", 0, 60, o -> o.result().pauses())));
    }

    static Experiment ring() {
        NetworkSpec guarded = ring(null, MarkSpec.NONE);
        LightSpec hosts = SetUp.hosts(null).withRepeat(LightSpec.Repeat.GO_BACK_N, 500 * SetUp.US, 4194 * SetUp.US, 7);
        guarded = guarded.withLight(hosts)
                .withBridge(guarded.bridge().withWatchdog(new WatchdogSpec(200 * SetUp.US, 200 * SetUp.US, true)));
        return new Experiment(
                "deadlock",
                "five flows around a ring stop each other for ever; DCQCN avoids it, a watchdog ends it",
                "ns-3 with HPCC; Deadlocks in datacenter networks, HotNets 2016",
                List.of(
                        new Case(
                                "pauses only",
                                ring(null, MarkSpec.NONE),
                                15 * SetUp.MS,
                                false,
                                List.of(
                                        Check.exactly(
                                                "ports in a circle",
                                                SWITCHES,
                                                o -> o.result().deadlock() == null
                                                        ? 0
                                                        : o.result().deadlock().size()),
                                        Check.exactly("flows that end", 0, Outcome::finished),
                                        new Check(
                                                "pauses",
                                                25,
                                                60,
                                                o -> o.result().pauses()))),
                        free("vendor", SetUp.vendor(), SetUp.VENDOR_MARKS, 9600, 12_600),
                        free("paper", SetUp.paper(), SetUp.PAPER_MARKS, 9600, 12_600),
                        new Case(
                                "watchdog",
                                guarded,
                                60 * SetUp.MS,
                                false,
                                List.of(
                                        new Check(
                                                "drops", 1, 1e7, o -> o.result().drops()),
                                        new Check(
                                                "bytes that arrive, MB",
                                                10,
                                                300,
                                                o -> o.result().flows().stream()
                                                        .mapToDouble(f -> f.goodputGbps()
                                                                * (f.fctUs() == null
                                                                        ? o.result()
                                                                                        .simulatedMs()
                                                                                * 1000
                                                                        : f.fctUs())
                                                                / 8000)
                                                        .sum())))));
    }
}

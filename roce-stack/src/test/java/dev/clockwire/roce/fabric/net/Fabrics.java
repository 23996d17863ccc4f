package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.BufferSpec;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.bridge.PauseSpec;
import dev.clockwire.roce.fabric.bridge.PortSpec;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The common set-up of the reference experiments: 100 Gbit/s, 1 us a link, 1000 B of payload in frames of 1048 B, nothing else on the line. */
final class Fabrics {
    static final long KBPS = 100_000_000;
    static final long US = 1_000_000;
    static final long MS = 1_000_000_000;
    static final int MIB = 1 << 20;

    private Fabrics() {}

    static LightSpec light(@Nullable RateRules rules) {
        return new LightSpec(
                1000, 48, 60, 1, 24, 56, rules, true, 0, false, 0, LightSpec.Repeat.GO_BACK_N, 500 * US, 0, 0, 0);
    }

    static NetworkSpec of(Topology topology, int bufferMib, @Nullable RateRules rules) {
        return of(
                topology,
                bufferMib,
                rules,
                37_500,
                rules == null ? MarkSpec.NONE : MarkSpec.of(400_000, 1_600_000, 0.2));
    }

    static NetworkSpec of(Topology topology, int bufferMib, @Nullable RateRules rules, int headroom, MarkSpec marks) {
        BridgeSpec bridge = BridgeSpec.of(new BufferSpec((long) bufferMib * MIB, 1, 4096, 3072, 0, 0))
                .withExempt(1 << 7)
                .withPause(new PauseSpec(1 << 3, 65_535, false, false));
        PortSpec port = PortSpec.of(headroom, -3).withMarks(3, marks);
        return new NetworkSpec(topology, Framing.BARE, bridge, cable -> port, light(rules), List.of());
    }

    static List<FlowSpec> incast(int n, long bytes) {
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            flows.add(new FlowSpec("flow" + i, i, n, bytes, 0, -1));
        }
        return flows;
    }

    /** A fabric that runs. */
    static final class Run {
        final Sim sim;
        final Network network;

        Run(NetworkSpec spec, SimSpec kernel) {
            sim = new Sim(kernel.withWatchdogPs(0));
            network = new Network(sim.root(), spec);
            sim.elaborate();
            network.start();
        }

        Run(NetworkSpec spec, long seed) {
            this(spec, SimSpec.of(seed));
        }

        Run until(long ps) {
            while (sim.now() < ps && !network.finished()) {
                sim.run(Math.min(ps, sim.now() + 100 * US));
            }
            return this;
        }

        double fctUs(int flow) {
            return network.flows().get(flow).completionPs() / 1e6;
        }

        double goodputGbps(int flow) {
            return network.flows().get(flow).acknowledgedBytes() * 8_000.0 / sim.now();
        }

        long pauses() {
            long n = 0;
            for (var sw : network.wiring().switches()) {
                for (int p = 0; p < sw.ports(); p++) {
                    n += sw.counters(p).xoffFrames();
                }
            }
            return n;
        }

        long drops() {
            long n = 0;
            for (var sw : network.wiring().switches()) {
                for (int p = 0; p < sw.ports(); p++) {
                    n += sw.counters(p).dropped(3);
                }
            }
            return n;
        }
    }
}

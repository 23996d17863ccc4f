package dev.clockwire.bench.fabric.experiment;

import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.BufferSpec;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.bridge.PauseSpec;
import dev.clockwire.roce.fabric.bridge.PortSpec;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.Topology;
import dev.clockwire.roce.wire.PauseFrame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the reference runs have in common: 100 Gb/s, 1 us a link, 1000 B of payload in frames of 1048 B with nothing else on the line, an
 * acknowledgement a packet that says whether the packet was marked, alpha 1/8, pauses that last until they are ended.
 */
final class SetUp {
    static final long KBPS = 100_000_000;
    static final long US = 1_000_000;
    static final long MS = 1_000_000_000;
    static final int PAYLOAD = 1000;

    /** Bytes of headroom: three times what is on a cable of 1 us at 100 Gb/s. */
    static final int HEADROOM = 37_500;

    static final MarkSpec VENDOR_MARKS = MarkSpec.of(400_000, 1_600_000, 0.2);
    static final MarkSpec PAPER_MARKS = MarkSpec.of(12_000, 500_000, 0.01);

    private static final int MIB = 1 << 20;
    private static final int RESERVE = 4096;
    private static final int RESUME = 3072;
    private static final int DATA = 3;
    private static final int ANSWERS = 7;
    private static final int ALPHA_LOG2 = -3;
    private static final long NAK_PS = 500 * US;

    private SetUp() {}

    static RateRules vendor() {
        return RateRules.hpcc(KBPS * 1000);
    }

    /** The paper's values in the reference's machine: one cut in 50 us at most, no byte counter, alpha that falls each 55 us. */
    static RateRules paper(long lineRate, long hyper, long floor) {
        return new RateRules(
                lineRate,
                floor,
                RateRules.gainOf(1.0 / 256),
                RateRules.AlphaClock.FREE_RUNNING,
                55 * US,
                RateRules.CutTrigger.MONITOR,
                RateRules.CutOrder.CUT_FIRST,
                50 * US,
                1,
                55 * US,
                RateRules.NO_BYTE_COUNTER,
                5,
                false,
                40_000_000,
                hyper,
                RateRules.HyperRule.FLAT,
                RateRules.Clamp.AFTER_INCREASE,
                false,
                0);
    }

    static RateRules paper() {
        return paper(KBPS * 1000, 400_000_000, 100_000_000);
    }

    static RateRules paperForty() {
        return paper(40_000_000_000L, 200_000_000, 10_000_000);
    }

    static LightSpec hosts(@Nullable RateRules rules) {
        return new LightSpec(
                PAYLOAD,
                48,
                60,
                1,
                DATA << 3,
                ANSWERS << 3,
                rules,
                true,
                0,
                false,
                0,
                LightSpec.Repeat.GO_BACK_N,
                NAK_PS,
                0,
                0,
                0);
    }

    /** Returns a fabric without flows. */
    static NetworkSpec fabric(
            Topology topology, int bufferMib, @Nullable RateRules rules, MarkSpec marks, int headroom) {
        BridgeSpec bridge = BridgeSpec.of(new BufferSpec((long) bufferMib * MIB, 1, RESERVE, RESUME, 0, 0))
                .withExempt(1 << ANSWERS)
                .withPause(new PauseSpec(1 << DATA, PauseFrame.MAX_QUANTA, false, false));
        PortSpec port = PortSpec.of(headroom, ALPHA_LOG2).withMarks(DATA, marks);
        return new NetworkSpec(topology, Framing.BARE, bridge, cable -> port, hosts(rules), List.of());
    }

    static NetworkSpec fabric(Topology topology, int bufferMib, @Nullable RateRules rules, MarkSpec marks) {
        return fabric(topology, bufferMib, rules, marks, HEADROOM);
    }

    /** Returns flows of the hosts below the last one to it. */
    static List<FlowSpec> incast(int senders, long bytes) {
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            flows.add(new FlowSpec("flow" + i, i, senders, bytes, 0, -1));
        }
        return flows;
    }

    static FlowSpec flow(String name, int from, int to, long bytes, long startPs) {
        return new FlowSpec(name, from, to, bytes, startPs, -1);
    }

    /** Returns the time that packets take on a line, in us. */
    static double lineUs(long packets) {
        return packets * 0.08384;
    }
}

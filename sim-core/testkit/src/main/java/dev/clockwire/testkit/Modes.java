package dev.clockwire.testkit;

import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.LoopKind;
import dev.clockwire.sim.SimSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/** All ways to run one simulation; each must give the same trace. */
public final class Modes {
    private Modes() {}

    /** Returns specs by name, the plain activity-driven kernel first; all channels are observation points. */
    public static Map<String, SimSpec> all(long seed) {
        SimSpec plain = SimSpec.of(seed).withFullHash(true).withLoop(LoopKind.PLAIN);
        SimSpec exhaustive = plain.withMode(KernelMode.EXHAUSTIVE);
        Map<String, SimSpec> all = new LinkedHashMap<>();
        all.put("activity", plain);
        all.put("exhaustive", exhaustive);
        all.put("specialised", plain.withLoop(LoopKind.SPECIALISED));
        all.put("evaluation order", plain.withShuffle(seed | 1, 0));
        all.put("scheduling order", plain.withShuffle(0, seed | 1));
        all.put("both orders, exhaustive", exhaustive.withShuffle(seed | 1, seed | 1));
        all.put("checked", plain.withChecked(true));
        all.put("small wheel", plain.withWheelBits(2));
        return all;
    }
}

package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.random.RandomStream;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** The ring of masks against a sorted map from edges to modules. */
class WakeRingProperties {
    private static final int WORDS = 3;

    private final WakeRing ring = new WakeRing(WORDS);
    private final TreeMap<Long, TreeSet<Integer>> wanted = new TreeMap<>();

    private static WakeMask[] masks() {
        return new WakeMask[] {new WakeMask(), new WakeMask(), new WakeMask()};
    }

    private void add(long cycle, int module) {
        ring.add(cycle, module);
        wanted.computeIfAbsent(cycle, c -> new TreeSet<>()).add(module);
    }

    private long merge(long cycle, int alreadyAwake) {
        WakeMask[] next = masks();
        next[alreadyAwake >> 6].bits |= 1L << alreadyAwake;
        TreeSet<Integer> modules = wanted.containsKey(cycle) ? wanted.remove(cycle) : new TreeSet<>();
        modules.add(alreadyAwake);
        long following = ring.merge(cycle, next);
        TreeSet<Integer> awake = new TreeSet<>();
        for (int m = 0; m < 64 * WORDS; m++) {
            if ((next[m >> 6].bits >>> m & 1) != 0) {
                awake.add(m);
            }
        }
        assertThat(awake).isEqualTo(modules);
        assertThat(following).isEqualTo(wanted.isEmpty() ? Long.MAX_VALUE : wanted.firstKey());
        return following;
    }

    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void modulesWakeAtTheEdgeTheyAskedFor(@ForAll long seed) {
        RandomStream r = RandomStream.named(seed, "ring");
        long cycle = r.below(200);
        for (int i = 0; i < 300; i++) {
            for (int n = r.below(4); n > 0; n--) {
                add(cycle + 1 + r.below(WakeRing.EDGES - 1), r.below(64 * WORDS));
            }
            long next = merge(cycle, r.below(64 * WORDS));
            cycle = next == Long.MAX_VALUE ? cycle + 1 + r.below(200) : r.below(2) == 0 ? next : cycle + 1;
        }
        add(cycle + 5, 1);
        add(cycle + 6, 64);
        ring.clear();
        wanted.clear();
        merge(cycle + 5, 2);
        add(cycle + 7, 3);
        merge(cycle + 6, 2);
        merge(cycle + 7, 2);
    }
}

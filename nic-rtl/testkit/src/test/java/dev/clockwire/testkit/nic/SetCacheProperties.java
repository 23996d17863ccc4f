package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.cache.SetCache;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The cache against lists of last use, and against the stack distance of the trace. */
class SetCacheProperties {
    @Property(tries = 200)
    void aKeyIsThereIfFewerThanWaysOthersOfItsSetCameBetween(
            @ForAll long seed,
            @ForAll @IntRange(min = 0, max = 4) int logSets,
            @ForAll @IntRange(min = 1, max = 7) int ways,
            @ForAll @IntRange(min = 1, max = 200) int keys) {
        int sets = 1 << logSets;
        SetCache cache = new SetCache(new CacheSpec(sets * ways, ways, 64, 1));
        List<Deque<Long>> recent = new ArrayList<>();
        for (int i = 0; i < sets; i++) {
            recent.add(new ArrayDeque<>());
        }
        RandomStream random = new RandomStream(seed);
        long hits = 0;
        for (int i = 0; i < 2_000; i++) {
            long key = random.below(keys);
            Deque<Long> set = recent.get((int) key & sets - 1);
            if (random.chance(0.02)) {
                cache.invalidate(key);
                set.remove(key);
                continue;
            }
            boolean there = set.remove(key);
            assertThat(cache.holds(key)).isEqualTo(there);
            assertThat(cache.touch(key)).isEqualTo(there);
            hits += there ? 1 : 0;
            set.addFirst(key);
            if (!there) {
                cache.fill(key);
                if (set.size() > ways) {
                    assertThat(cache.holds(set.removeLast())).isFalse();
                }
            }
        }
        assertThat(cache.hits()).isEqualTo(hits);
    }

    @Example
    void whatCannotBeIsRefused() {
        assertThatThrownBy(() -> new CacheSpec(12, 4, 64, 1)).hasMessageContaining("power of two");
        assertThatThrownBy(() -> new CacheSpec(2, 4, 64, 1)).hasMessageContaining("entries 2 is not in 4..");
        assertThatThrownBy(() -> new CacheSpec(4, 0, 64, 1)).hasMessageContaining("ways 0");
        assertThatThrownBy(() -> new CacheSpec(4, 4, 65, 1)).hasMessageContaining("65");
    }
}

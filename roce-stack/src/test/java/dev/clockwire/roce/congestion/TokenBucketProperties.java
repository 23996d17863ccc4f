package dev.clockwire.roce.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.random.RandomStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Refills made up later are those of every cycle: also with rate changes and debits in the same cycle. */
class TokenBucketProperties {
    private static final int CYCLES = 2_000;

    @Property
    void lazyIsPerCycle(
            @ForAll long seed,
            @ForAll @LongRange(min = 1, max = 1L << 24) long rate,
            @ForAll @IntRange(min = 0, max = 24) int bits,
            @ForAll @LongRange(min = 1, max = 100_000) long burst,
            @ForAll @LongRange(min = 1, max = 200_000) long largest) {
        RandomStream random = new RandomStream(seed);
        TokenBucket lazy = new TokenBucket(new TokenBucketSpec(rate, bits, burst));
        long capacity = burst << bits;
        long tokens = capacity;
        long add = rate;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            if (random.chance(0.01)) {
                add = 1 + (random.nextLong() >>> (40 + random.below(20)));
                lazy.rate(cycle, add);
            }
            if (random.chance(0.2)) {
                long bytes = 1L + random.below((int) largest);
                boolean may = tokens >= Math.min(capacity, bytes << bits);
                long waits = may ? 0 : 1;
                assertThat(lazy.eligible(cycle, bytes) - cycle).matches(w -> waits == 0 ? w == 0 : w > 0);
                assertThat(lazy.take(cycle, bytes)).isEqualTo(may);
                tokens -= may ? bytes << bits : 0;
                assertThat(lazy.tokens(cycle)).isEqualTo(tokens);
            }
            tokens = Math.min(capacity, tokens + add);
        }
    }

    /** The cycle promised is the first one: not a cycle earlier, and then at once. */
    @Property
    void thePromisedCycleIsTheFirst(
            @ForAll @LongRange(min = 1, max = 1L << 22) long rate,
            @ForAll @LongRange(min = 1, max = 70_000) long burst,
            @ForAll @LongRange(min = 1, max = 140_000) long first,
            @ForAll @LongRange(min = 1, max = 140_000) long second) {
        TokenBucketSpec spec = new TokenBucketSpec(rate, 16, burst);
        TokenBucket bucket = new TokenBucket(spec);
        assertThat(bucket.take(0, first)).isTrue();
        long cycle = bucket.eligible(0, second);
        if (cycle > 0) {
            TokenBucket early = new TokenBucket(spec);
            early.take(0, first);
            assertThat(early.take(cycle - 1, second)).isFalse();
        }
        assertThat(bucket.take(cycle, second)).isTrue();
    }
}

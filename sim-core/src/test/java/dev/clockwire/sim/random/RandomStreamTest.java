package dev.clockwire.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.state.Snapshot;
import org.junit.jupiter.api.Test;

class RandomStreamTest {
    /** The reference implementation's first outputs for the seed 1234567, as published with Rosetta Code's task SplitMix64. */
    @Test
    void publishedVectors() {
        RandomStream r = new RandomStream(1234567);
        assertThat(Long.toUnsignedString(r.nextLong())).isEqualTo("6457827717110365317");
        assertThat(Long.toUnsignedString(r.nextLong())).isEqualTo("3203168211198807973");
        assertThat(Long.toUnsignedString(r.nextLong())).isEqualTo("9817491932198370423");
        assertThat(Long.toUnsignedString(r.nextLong())).isEqualTo("4593380528125082431");
        assertThat(Long.toUnsignedString(r.nextLong())).isEqualTo("16408922859458223821");
        assertThat(r.counter()).isEqualTo(5);
    }

    @Test
    void aStreamDependsOnSeedAndNameOnly() {
        assertThat(RandomStream.named(1, "a").nextLong())
                .isEqualTo(RandomStream.named(1, "a").nextLong());
        assertThat(RandomStream.named(1, "a").nextLong())
                .isNotEqualTo(RandomStream.named(1, "b").nextLong());
        assertThat(RandomStream.named(1, "a").nextLong())
                .isNotEqualTo(RandomStream.named(2, "a").nextLong());
        assertThat(RandomStream.hash("")).isEqualTo(0xCBF29CE484222325L);
        assertThat(RandomStream.hash("a")).isEqualTo(0xAF63DC4C8601EC8CL); // FNV-1a test vectors
        assertThat(RandomStream.hash("foobar")).isEqualTo(0x85944171F73967E8L);
    }

    @Test
    void theCounterIsAllItsState() {
        RandomStream r = RandomStream.named(7, "x");
        r.nextLong();
        Snapshot s = new Snapshot();
        r.save(s);
        long next = r.nextLong();
        RandomStream other = RandomStream.named(7, "x");
        other.load(s);
        assertThat(other.nextLong()).isEqualTo(next);
    }

    @Test
    void drawsAreEven() {
        RandomStream r = RandomStream.named(7, "even");
        int[] hits = new int[10];
        int heads = 0;
        for (int i = 0; i < 100_000; i++) {
            hits[r.below(10)]++;
            heads += r.chance(0.25) ? 1 : 0;
        }
        for (int h : hits) {
            assertThat(h).isBetween(9_600, 10_400); // 4 standard deviations
        }
        assertThat(heads).isBetween(24_400, 25_600);
        assertThat(r.below(1)).isZero();
        assertThat(r.chance(0)).isFalse();
        assertThat(r.chance(1)).isTrue();
    }
}

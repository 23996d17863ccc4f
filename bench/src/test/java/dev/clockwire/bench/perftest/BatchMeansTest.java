package dev.clockwire.bench.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.random.RandomStream;
import org.junit.jupiter.api.Test;

class BatchMeansTest {
    @Test
    void fewValuesTellNothing() {
        BatchMeans means = new BatchMeans();
        for (int i = 0; i < 16 * 35; i++) {
            means.add(1);
            assertThat(means.relativeHalfWidth()).isInfinite();
        }
        for (int i = 0; i < 16; i++) {
            means.add(1);
        }
        assertThat(means.relativeHalfWidth()).isZero();
    }

    @Test
    void theWarmUpDoesNotCount() {
        BatchMeans means = new BatchMeans();
        for (int i = 0; i < 16 * 8; i++) {
            means.add(1000);
        }
        for (int i = 0; i < 16 * 40; i++) {
            means.add(5);
        }
        assertThat(means.relativeHalfWidth()).isZero();
    }

    /** A uniform variable on 0..2 has a relative deviation of 1/sqrt(3): 2 x 0.577 / sqrt(n) half a width. */
    @Test
    void theIntervalNarrowsWithTheRootOfTheValues() {
        RandomStream random = new RandomStream(5);
        BatchMeans means = new BatchMeans();
        int n = 0;
        for (int target : new int[] {4_000, 40_000, 400_000}) {
            for (; n < target; n++) {
                means.add(2 * random.nextDouble());
            }
            double expected = 2 * 0.577 / Math.sqrt(n);
            assertThat(means.relativeHalfWidth()).isBetween(0.6 * expected, 1.6 * expected);
        }
    }

    @Test
    void slowSwingsAreNotMistakenForCertainty() {
        BatchMeans means = new BatchMeans();
        for (int i = 0; i < 50_000; i++) {
            means.add(i / 10_000 % 2 == 0 ? 1 : 2);
        }
        assertThat(means.relativeHalfWidth()).isGreaterThan(0.05);
    }
}

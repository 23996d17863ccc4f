package dev.clockwire.sim;

import dev.clockwire.sim.random.RandomStream;

/** Random orders for the tests of order independence; no part of the model. */
final class Shuffle {
    private final RandomStream random;

    Shuffle(long seed) {
        random = RandomStream.named(seed, "shuffle");
    }

    void array(Object[] x) {
        prefix(x, x.length);
    }

    /** Shuffles the first n elements. */
    void prefix(Object[] x, int n) {
        for (int i = n - 1; i > 0; i--) {
            int j = random.below(i + 1);
            Object t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
    }
}

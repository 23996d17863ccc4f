package dev.clockwire.testkit;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;

/** When a driver moves: a pure function of the cycle, so that an idle tick changes nothing. */
@FunctionalInterface
public interface Stall {
    /** Returns whether the driver may move in this cycle. */
    boolean open(long cycle);

    /** Never stalls. */
    static Stall none() {
        return cycle -> true;
    }

    /**
     * Stalls at random.
     *
     * @param p probability that a cycle is stalled, 0 to less than 1
     * @param seed the same seed gives the same cycles
     */
    static Stall random(double p, long seed) {
        if (!(p >= 0 && p < 1)) {
            throw new ConfigurationException("stall probability " + p + " is not in 0..1");
        }
        return cycle -> (RandomStream.mix(seed + cycle * 0x9E3779B97F4A7C15L) >>> 11) * 0x1.0p-53 >= p;
    }

    /** Stalls at random, always in the same cycles. */
    static Stall random(double p) {
        return random(p, 1);
    }

    /** Repeats a pattern: 1 moves, 0 stalls; it needs a 1. */
    static Stall pattern(String bits) {
        if (!bits.matches("[01]*1[01]*")) {
            throw new ConfigurationException("stall pattern '" + bits + "' is not a string of 0 and 1 with a 1");
        }
        return cycle -> bits.charAt((int) (cycle % bits.length())) == '1';
    }
}

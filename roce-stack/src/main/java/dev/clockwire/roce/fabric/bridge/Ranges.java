package dev.clockwire.roce.fabric.bridge;

import dev.clockwire.sim.error.ConfigurationException;

/** Checks of parameters. */
final class Ranges {
    private Ranges() {}

    static void range(String what, long value, long low, long high) {
        if (value < low || value > high) {
            throw new ConfigurationException(what + " " + value + " is not in " + low + ".." + high);
        }
    }
}

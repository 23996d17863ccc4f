package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;
import org.jspecify.annotations.Nullable;

/** What the checks of all links say. */
final class Ends {
    private Ends() {}

    /** Returns the end, or complains with the name of the other one. */
    static SimModule connected(
            String path, String role, @Nullable SimModule end, String otherRole, @Nullable SimModule other) {
        if (end == null) {
            String known = other == null
                    ? "has no " + role + " and no " + otherRole
                    : "has no " + role + "; its " + otherRole + " is " + other.path();
            throw new ConfigurationException(path, ConfigurationException.BEFORE_TIME_ZERO, known);
        }
        return end;
    }

    static ConfigurationException crossing(String path, SimModule from, SimModule to) {
        return new ConfigurationException(
                path,
                ConfigurationException.BEFORE_TIME_ZERO,
                "joins " + from.path() + " (clock " + from.clock.path() + ") and " + to.path() + " (clock "
                        + to.clock.path()
                        + "): a clock crossing needs an AsyncFifo, and both ends of a channel its clock");
    }

    /** Returns a time for people. */
    static String ns(long ps) {
        return ps / 1000 + "." + Long.toString(1000 + ps % 1000).substring(1) + " ns";
    }
}

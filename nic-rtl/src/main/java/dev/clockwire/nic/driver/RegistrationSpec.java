package dev.clockwire.nic.driver;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * What registering memory costs, besides the command: for each page, whatever its size.
 *
 * @param pinPs the core's time to find and pin a page of the buffer
 * @param unpinPs the core's time to release it when the region goes
 * @param mttPs the device's time to write its translation entry
 * @param lockedBytes that a process may pin, RLIMIT_MEMLOCK; 0: any
 */
public record RegistrationSpec(long pinPs, long unpinPs, long mttPs, long lockedBytes) {
    /** Nothing but the command. */
    public static final RegistrationSpec FREE = new RegistrationSpec(0, 0, 0, 0);

    private static final long LARGEST_PS = 1_000_000_000L;

    /** Checks the ranges. */
    public RegistrationSpec {
        check("pin ps", pinPs);
        check("unpin ps", unpinPs);
        check("translation ps", mttPs);
    }

    private static void check(String what, long value) {
        if (value < 0 || value > LARGEST_PS) {
            throw new ConfigurationException(
                    "memory registration: " + what + " " + value + " is not in 0.." + LARGEST_PS);
        }
    }

    boolean isFree() {
        return pinPs == 0 && unpinPs == 0 && mttPs == 0;
    }
}

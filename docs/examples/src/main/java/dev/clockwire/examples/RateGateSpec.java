package dev.clockwire.examples;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Parameters of a {@link RateGate}.
 *
 * @param bytesPerCycle rate
 * @param burst bytes that may pass at once after a pause
 */
record RateGateSpec(int bytesPerCycle, int burst) {
    RateGateSpec {
        if (bytesPerCycle < 1 || burst < 1) {
            throw new ConfigurationException(
                    "rate " + bytesPerCycle + " B/cycle, burst " + burst + " B: both must be at least 1");
        }
    }
}

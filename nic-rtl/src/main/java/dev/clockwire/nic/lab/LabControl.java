package dev.clockwire.nic.lab;

import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.sim.error.ConfigurationException;

/** A lab in which control verbs are run to their end. */
public interface LabControl {
    /**
     * Runs the simulation until a control verb has ended, and returns what it gave.
     *
     * @throws ConfigurationException if it does not end within a second of simulated time
     */
    <T> T await(Completion<T> verb);
}

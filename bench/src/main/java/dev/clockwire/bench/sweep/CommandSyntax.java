package dev.clockwire.bench.sweep;

import java.util.List;

/** What a plan must know of the commands that it runs. */
@FunctionalInterface
public interface CommandSyntax {
    /**
     * Returns the command that the words begin with.
     *
     * @throws dev.clockwire.sim.error.ConfigurationException if there is no such command, or none that can be swept
     */
    SweptCommand command(List<String> words);
}

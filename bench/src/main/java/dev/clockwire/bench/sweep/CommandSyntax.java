package dev.clockwire.bench.sweep;

import java.util.List;
import java.util.Map;

/** What a plan must know of the commands that it runs. */
@FunctionalInterface
public interface CommandSyntax {
    /**
     * Returns the options of the command that the words name, as typed ({@code -s}, {@code --size}), each with whether it takes a value.
     *
     * @throws dev.clockwire.sim.error.ConfigurationException if there is no such command
     */
    Map<String, Boolean> options(List<String> words);
}

package dev.clockwire.bench.config;

import dev.clockwire.bench.config.text.ConfigLine;

/** A kind of configuration line. */
interface ConfigFormat {
    /** Returns the name, for scripts. */
    String name();

    /** Tells whether a line is of this kind; then it must be right. */
    boolean knows(ConfigLine line);

    /**
     * Applies a line.
     *
     * @throws dev.clockwire.sim.error.ConfigurationException if the line is not what its program takes; it names line and column
     */
    void apply(ConfigLine line, ConfigTarget target);
}

package dev.clockwire.sim;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log lines of one node, with simulated time and path in front. A line that is off costs a level check: values are passed as
 * {@code long}, the text is built only when it is written. {@code {}} in the text stands for the next value.
 */
public final class SimLog {
    private final Sim sim;
    private final String path;
    private final Logger logger;

    SimLog(Sim sim, String path) {
        this(sim, path, LoggerFactory.getLogger("clockwire." + path));
    }

    SimLog(Sim sim, String path, Logger logger) {
        this.sim = sim;
        this.path = path;
        this.logger = logger;
    }

    /** Returns whether debug lines are written; guard what is costly to compute. */
    public boolean debug() {
        return logger.isDebugEnabled();
    }

    /** Writes a debug line. */
    public void debug(String text) {
        if (logger.isDebugEnabled()) {
            logger.debug(line(text));
        }
    }

    /** Writes a debug line with one value. */
    public void debug(String text, long a) {
        if (logger.isDebugEnabled()) {
            logger.debug(line(text), a);
        }
    }

    /** Writes a debug line with two values. */
    public void debug(String text, long a, long b) {
        if (logger.isDebugEnabled()) {
            logger.debug(line(text), a, b);
        }
    }

    /** Writes an info line. */
    public void info(String text) {
        if (logger.isInfoEnabled()) {
            logger.info(line(text));
        }
    }

    /** Writes a warning. */
    public void warn(String text) {
        if (logger.isWarnEnabled()) {
            logger.warn(line(text));
        }
    }

    private String line(String text) {
        return "[" + Ends.ns(sim.now) + "] " + path + ": " + text;
    }
}

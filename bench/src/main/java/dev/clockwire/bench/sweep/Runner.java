package dev.clockwire.bench.sweep;

import java.util.List;

/** Runs command lines in this process, many at a time in threads of their own. */
@FunctionalInterface
public interface Runner {
    /** Runs one command, the words behind {@code clockwire}. */
    Ended run(List<String> arguments);

    /**
     * How a command ended.
     *
     * @param exit its exit code
     * @param out what it printed on standard output
     * @param err what it printed on standard error
     */
    record Ended(int exit, String out, String err) {}
}

package dev.clockwire.bench.catalogue;

import java.io.IOException;

/** Runs command lines in this process, word for word as typed. */
@FunctionalInterface
public interface Commands {
    /**
     * Runs one command.
     *
     * @param line without {@code clockwire} in front
     */
    Outcome run(String line) throws IOException;
}

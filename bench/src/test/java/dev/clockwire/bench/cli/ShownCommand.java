package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A command that a page shows, with pieces of what it prints.
 *
 * @param line command without {@code clockwire}; files are named from the root of the repository
 * @param pieces what the page says of its output
 */
record ShownCommand(String line, List<String> pieces) {
    /** Runs the command; returns all that it prints. */
    String printed() {
        String[] args = Arrays.stream(line.split(" +"))
                .map(a -> a.contains("/") && Files.exists(Path.of("..", a)) ? "../" + a : a)
                .toArray(String[]::new);
        return clockwire(args).printed();
    }
}

package dev.clockwire.bench.cli;

import dev.clockwire.sim.export.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file that is there whole or not at all. */
final class WholeFile {
    private WholeFile() {}

    /**
     * Returns the directory of a file that is to be written: asked before a long run, not behind it.
     *
     * @param option what the user typed, for the error
     * @throws CliException with exit code 3 if the file cannot be written there
     */
    static Path directory(String option, Path file) {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw CliException.input(option + " " + file + ": there is no such directory");
        }
        if (Files.isDirectory(file)) {
            throw CliException.input(option + " " + file + ": is a directory");
        }
        return directory;
    }

    /**
     * Checks that two options do not name the same file, one of which would be gone.
     *
     * @throws CliException with exit code 3 if they do
     */
    static void different(String option, @Nullable Path file, String other, @Nullable Path of) {
        if (file != null && of != null && real(file).equals(real(of))) {
            throw CliException.input(option + " " + file + ": is the file of " + other + ", too");
        }
    }

    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            return file.toAbsolutePath().normalize(); // is not there yet
        }
    }

    /**
     * Writes to a temporary name first, then moves: an error leaves no half of a file.
     *
     * @param option what the user typed, for the error
     * @throws CliException with exit code 3 if the directory does not exist
     */
    static void write(String option, Path file, String text) {
        directory(option, file);
        AtomicFile.write(file, text);
    }
}

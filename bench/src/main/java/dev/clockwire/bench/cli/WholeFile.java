package dev.clockwire.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

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
     * Writes to a temporary name first, then moves: an error leaves no half of a file.
     *
     * @param option what the user typed, for the error
     * @throws CliException with exit code 3 if the directory does not exist
     */
    static void write(String option, Path file, String text) throws IOException {
        Path directory = directory(option, file);
        // not a temporary file of the library's: others may read what the user may
        Path temporary = directory.resolve(
                "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        try {
            Files.writeString(temporary, text);
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}

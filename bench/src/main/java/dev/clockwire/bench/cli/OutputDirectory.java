package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.RunFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of {@code --out}. A run writes into a hidden directory beside it; only {@link #keep()} moves the files to
 * where the user wants them, so a run that fails leaves nothing, not even the directory.
 */
public final class OutputDirectory implements AutoCloseable {
    /** Stands beside the other files when the run was interrupted. */
    public static final String INTERRUPTED = "INTERRUPTED";

    /** Stands beside the other files when the run failed and its last moments were kept. */
    public static final String FAILED = "FAILED";

    private static final Queue<OutputDirectory> OPEN = new ConcurrentLinkedQueue<>();

    private final Path given;
    private final Path target;
    private final Path staging;

    private OutputDirectory(Path given, Path target, Path staging) {
        this.given = given;
        this.target = target;
        this.staging = staging;
    }

    /**
     * Prepares for output in a directory that need not exist yet.
     *
     * @throws CliException with exit code 3 if it cannot be made there
     */
    public static OutputDirectory at(Path directory) {
        if (directory.toString().isEmpty()) {
            throw CliException.input("--out '': expected the name of a directory");
        }
        Path target = directory.toAbsolutePath().normalize();
        if (Files.exists(target) && !Files.isDirectory(target)) {
            throw CliException.input("--out " + directory + ": exists and is not a directory");
        }
        try {
            Path near = nearestExisting(target);
            if (!Files.isDirectory(near)) {
                throw CliException.input("--out " + directory + ": " + near + " is not a directory");
            }
            OutputDirectory output =
                    new OutputDirectory(directory, target, Files.createTempDirectory(near, ".clockwire-"));
            OPEN.add(output);
            return output;
        } catch (IOException e) {
            throw CliException.input("--out " + directory + ": cannot write there");
        }
    }

    /** Returns the path under which a file of this name is to be written during the run. */
    public Path file(String name) {
        return staging.resolve(name);
    }

    /**
     * Moves everything written so far to the target, in place of what an earlier run has left there: nobody takes the waves of that one
     * for those of this one. Other files stay, unless they have the same names.
     */
    public void keep() throws IOException {
        Files.createDirectories(target);
        for (String mark : List.of(INTERRUPTED, FAILED)) {
            if (!Files.exists(file(mark))) {
                Files.deleteIfExists(target.resolve(mark)); // of an earlier run
            }
        }
        for (Path old : RunFiles.left(target)) {
            Files.delete(old);
        }
        for (Path file : contents()) {
            Path to = target.resolve(staging.relativize(file));
            if (Files.isDirectory(file)) {
                Files.createDirectories(to);
            } else {
                Files.move(file, to, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        close();
    }

    /** Like {@link #keep()}, with a mark that the run did not come to its end. */
    public void keepInterrupted() throws IOException {
        Files.writeString(file(INTERRUPTED), "The run was interrupted; the files hold what was complete by then.\n");
        keep();
    }

    /** Like {@link #keep()}, with a mark that the run failed, and why. */
    public void keepFailed(String why) throws IOException {
        Files.writeString(file(FAILED), "The run failed; the files show how it came to it.\n" + why + "\n");
        keep();
    }

    /** Returns where a file will be once it is kept, as the user named the directory. */
    Path place(String name) {
        return given.resolve(name);
    }

    /** Removes what was not kept. */
    @Override
    public void close() {
        OPEN.remove(this);
        try {
            for (Path file :
                    contents().stream().sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(staging);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes what runs have left that can no longer end by themselves. */
    static void abandonAll() {
        OPEN.forEach(OutputDirectory::close);
    }

    private List<Path> contents() throws IOException {
        if (!Files.exists(staging)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(staging)) {
            return files.filter(file -> !file.equals(staging)).sorted().toList();
        }
    }

    private static Path nearestExisting(Path target) throws IOException {
        @Nullable Path near = target.getParent();
        while (near != null && !Files.exists(near)) {
            near = near.getParent();
        }
        if (near == null) {
            throw new IOException("no directory above " + target);
        }
        return near;
    }
}

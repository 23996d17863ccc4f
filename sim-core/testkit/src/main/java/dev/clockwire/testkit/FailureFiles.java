package dev.clockwire.testkit;

import dev.clockwire.sim.export.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The artefacts of a run, below {@code target}. */
final class FailureFiles {
    private final SimRun run;
    private final List<String> names = new ArrayList<>();

    private FailureFiles(SimRun run) {
        this.run = run;
    }

    /** Removes what an earlier failure of the same test has left. */
    static void clear(Path folder) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> old = Files.newDirectoryStream(folder, Files::isRegularFile)) {
            for (Path file : old) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes all that the test wants; returns the names, with what went wrong behind one that could not be written. */
    static List<String> write(SimRun run) {
        FailureFiles files = new FailureFiles(run);
        try {
            Files.createDirectories(run.folder());
        } catch (IOException e) {
            return List.of("no files: " + e);
        }
        files.text("repeat.txt", "seed " + run.seeds() + "\nrepeat with\n" + run.command() + "\n");
        for (int i = 0; i < run.watched().size(); i++) {
            files.simulation(run.watched().get(i), i == 0 ? "" : "-" + (i + 1));
        }
        run.kept().stream().filter(k -> run.wants(k.kind())).forEach(k -> files.file(k.name(), k.maker()));
        return files.names;
    }

    private void simulation(Watched watched, String suffix) {
        if (run.wants(Artefact.EVENTS) && !watched.events().isEmpty()) {
            String all = watched.events().stream().map(SimEvent::toString).collect(Collectors.joining("\n", "", "\n"));
            text("events" + suffix + ".txt", all);
        }
        if (run.wants(Artefact.STATISTICS) && !watched.sim.stats().all().isEmpty()) {
            text("statistics" + suffix + ".txt", watched.sim.stats().tree(watched.sim.now()));
        }
        if (watched.hasWaves()) {
            file("waves" + suffix + ".vcd", path -> {
                try (AtomicFile file = new AtomicFile(path)) {
                    watched.dump(file.writer());
                    file.commit();
                }
            });
        }
    }

    private void text(String name, String content) {
        file(name, path -> AtomicFile.write(path, content));
    }

    private void file(String name, SimRun.FileMaker maker) {
        try {
            maker.write(run.folder().resolve(name));
            names.add(name);
        } catch (RuntimeException e) { // the failure of the test is what counts
            names.add(name + " (not written: " + e + ")");
        }
    }
}

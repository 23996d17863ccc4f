package dev.clockwire.bench.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.bench.text.InputFile;
import dev.clockwire.bench.text.JsonMistake;
import dev.clockwire.bench.text.ShellWord;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.export.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The finished rows in the folders of a sweep, one file each, there whole or not at all. */
public final class RowStore {
    /** The folder below that of the sweep. */
    public static final String FOLDER = "rows";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final List<Path> folders;

    /** Creates the store over one folder, or over several of which the first is written to. */
    public RowStore(List<Path> folders) {
        this.folders = folders.stream().map(f -> f.resolve(FOLDER)).toList();
    }

    /** Returns whether the row has been run, whatever came of it. */
    public boolean has(SweepRow row) {
        return folders.stream().anyMatch(f -> Files.exists(f.resolve(name(row.number()))));
    }

    /** Writes a row. */
    public void write(SweepRow row, RowResult result) {
        ObjectNode file = MAPPER.createObjectNode();
        file.put("row", row.number());
        file.set("command", MAPPER.valueToTree(row.arguments()));
        file.setAll(result.json());
        AtomicFile.write(folders.get(0).resolve(name(row.number())), file + "\n");
    }

    /**
     * Returns a row, empty if it has not been run. If several folders have it, one that did not fail counts before those that did.
     *
     * @throws ConfigurationException if a file is of another command line, or if two that did not fail differ
     */
    public Optional<RowResult> read(SweepRow row) throws IOException {
        RowResult best = null;
        Path of = Path.of("");
        for (Path folder : folders) {
            Path file = folder.resolve(name(row.number()));
            if (!Files.exists(file)) {
                continue;
            }
            RowResult one = read(file, row);
            if (best == null || (best.failed() && !one.failed())) {
                best = one;
                of = file;
            } else if (!one.failed() && !best.result().equals(one.result())) {
                throw new ConfigurationException(of + " and " + file + ": the same command line with different results,"
                        + " so of other versions or spoilt; remove one");
            }
        }
        return Optional.ofNullable(best);
    }

    private static RowResult read(Path file, SweepRow row) throws IOException {
        JsonNode json;
        try {
            json = MAPPER.readTree(InputFile.text(file));
        } catch (JsonProcessingException e) {
            throw noRow(file, JsonMistake.text(e));
        }
        if (!json.path("command").isArray() || !json.path("exit").isInt()) {
            throw noRow(file, "it holds no command and exit code");
        }
        List<String> command = RowResult.words(json.path("command"));
        if (!command.equals(row.arguments())) {
            throw new ConfigurationException(file + ": is of another plan: '" + ShellWord.line(command)
                    + "', but this one says '" + ShellWord.line(row.arguments()) + "'");
        }
        return RowResult.of(json);
    }

    /** Rows are written whole: a disk or a person has spoilt the file, and what it held is not guessed. */
    private static ConfigurationException noRow(Path file, String why) {
        return new ConfigurationException(
                file + ": is no row of a sweep: " + why + "; without the file sweep --resume runs it again");
    }

    /** Checks that no row stands behind the last one of the plan. */
    public void checkLast(int rows) throws IOException {
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                continue;
            }
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.sorted().toList()) {
                    String digits = file.getFileName().toString().replace(".json", "");
                    if (digits.matches("\\d{6,9}") && Integer.parseInt(digits) > rows) {
                        throw new ConfigurationException(file + ": is of another plan: this one has " + rows + " rows");
                    }
                }
            }
        }
    }

    private static String name(int row) {
        return String.format(Locale.ROOT, "%06d.json", row);
    }
}

package dev.clockwire.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.sweep.ResultFiles;
import dev.clockwire.bench.text.InputFile;
import dev.clockwire.bench.text.JsonMistake;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.export.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The page of a run, a sweep or a comparison. It is made from its files alone: no simulation is asked, so it can be made later and of somebody else's. What the page shows stands in it once, as JSON.
 */
public final class Report {
    private static final List<String> RUN = List.of("drops.js", "links.js", "pipeline.js", "waits.js", "run.js");
    static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private Report() {}

    /** Makes of a file what the page shows of it. */
    @FunctionalInterface
    interface Reader {
        Object read(Path file) throws IOException;
    }

    /**
     * Writes the page beside the files.
     *
     * @param directory where a run or a sweep has left its files
     * @return the page
     * @throws ConfigurationException if these are not the files of one, or damaged; then nothing is written
     */
    public static Path write(Path directory) throws IOException {
        return write(List.of(directory), null);
    }

    /**
     * Writes a page.
     *
     * @param inputs the directory of a run or a sweep, those of several runs, or a document that compares
     * @param page where it goes; null for beside the first input
     * @return the page
     * @throws ConfigurationException if these are not the files of one, or damaged; then nothing is written
     */
    public static Path write(List<Path> inputs, @Nullable Path page) throws IOException {
        Path first = inputs.get(0);
        String text;
        Path usual;
        if (inputs.size() > 1) {
            text = ComparisonPage.ofRuns(inputs);
            usual = first.resolve(RunFiles.COMPARISON);
        } else if (Files.isRegularFile(first)) {
            text = ComparisonPage.ofDocument(first);
            usual = Path.of(first.toString().replaceFirst("\\.json$", "") + ".html");
        } else {
            text = page(first);
            usual = first.resolve(RunFiles.REPORT);
        }
        Path to = page == null ? usual : page;
        AtomicFile.write(to, text);
        return to;
    }

    private static String page(Path directory) throws IOException {
        if (Files.isRegularFile(directory.resolve(RunFiles.STATS))) {
            return Page.of(RUN, run(directory).toString());
        }
        if (Files.isRegularFile(directory.resolve(ResultFiles.DOCUMENT))) {
            return Page.of(List.of("sweep.js"), sweep(directory).toString());
        }
        throw new ConfigurationException(directory + ": no " + RunFiles.STATS + " and no " + ResultFiles.DOCUMENT
                + " in it; expected the directory that a run or a sweep has left with --out");
    }

    /** Collects what the page shows: {@code run} is the document of statistics as it is, the rest is there if the run has left it. */
    private static ObjectNode run(Path directory) throws IOException {
        ObjectNode data = MAPPER.createObjectNode();
        data.set(
                "run",
                document(directory.resolve(RunFiles.STATS), RunFiles.SCHEMA, "the statistics of a run", "stats"));
        add(data, "latency", directory.resolve(RunFiles.LATENCY), LatencyCurve::read);
        add(data, "series", directory.resolve(RunFiles.SERIES), Series::read);
        add(data, "frames", directory.resolve(RunFiles.CAPTURE), Frames::read);
        Path operations = directory.resolve(RunFiles.OPERATIONS);
        if (Files.isRegularFile(operations)) {
            data.set(
                    "operations",
                    document(operations, RunFiles.OPERATIONS_SCHEMA, "operations of a run", "windows", "lanes"));
        }
        return data;
    }

    /** Collects what the page shows: {@code sweep} is the results without the measures of single runs, {@code plan} the text that they are of. */
    private static ObjectNode sweep(Path directory) throws IOException {
        ObjectNode data = MAPPER.createObjectNode();
        Path file = directory.resolve(ResultFiles.DOCUMENT);
        JsonNode results = document(file, ResultFiles.SCHEMA, "the results of a sweep", "missing", "rows", "points");
        results.get("rows").forEach(row -> {
            if (row instanceof ObjectNode one) {
                one.remove("measures");
            }
        });
        data.set("sweep", results);
        add(data, "plan", directory.resolve(ResultFiles.PLAN), InputFile::text);
        return data;
    }

    static void add(ObjectNode data, String name, Path file, Reader reader) throws IOException {
        if (Files.isRegularFile(file)) {
            data.set(name, MAPPER.valueToTree(reader.read(file)));
        }
    }

    /** Reads a document that says by its schema what it is, and has these lists. */
    static JsonNode document(Path file, String expected, String meaning, String... lists) throws IOException {
        JsonNode root = json(file);
        String schema = root.path("schema").asText();
        if (!schema.equals(expected)) {
            throw new ConfigurationException(
                    file + ": schema '" + schema + "', expected '" + expected + "', " + meaning);
        }
        for (String list : lists) {
            if (!root.path(list).isArray()) {
                throw new ConfigurationException(file + ": no list '" + list + "' in it");
            }
        }
        return root;
    }

    static JsonNode json(Path file) throws IOException {
        try {
            return MAPPER.readTree(InputFile.text(file));
        } catch (JsonProcessingException e) {
            throw new ConfigurationException(file + ": no JSON: " + JsonMistake.text(e));
        }
    }
}

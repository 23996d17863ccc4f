package dev.clockwire.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.text.InputFile;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.export.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The page of a run. It is made from the run's files alone: no simulation is asked, so it can be made later and of somebody else's
 * run. What the page shows stands in it once, as JSON.
 */
public final class Report {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private Report() {}

    /** Makes of a file what the page shows of it. */
    @FunctionalInterface
    private interface Reader {
        Object read(Path file) throws IOException;
    }

    /**
     * Writes the page beside the files.
     *
     * @param directory where a run has left its files
     * @return the page
     * @throws ConfigurationException if these are not the files of a run, or damaged; then nothing is written
     */
    public static Path write(Path directory) throws IOException {
        String text = Page.of(data(directory).toString());
        Path page = directory.resolve(RunFiles.REPORT);
        AtomicFile.write(page, text);
        return page;
    }

    /** Collects what the page shows: {@code run} is the document of statistics as it is, the rest is there if the run has left it. */
    private static ObjectNode data(Path directory) throws IOException {
        ObjectNode data = MAPPER.createObjectNode();
        data.set("run", statistics(directory));
        add(data, "latency", directory.resolve(RunFiles.LATENCY), LatencyCurve::read);
        add(data, "series", directory.resolve(RunFiles.SERIES), Series::read);
        add(data, "frames", directory.resolve(RunFiles.CAPTURE), Frames::read);
        return data;
    }

    private static void add(ObjectNode data, String name, Path file, Reader reader) throws IOException {
        if (Files.isRegularFile(file)) {
            data.set(name, MAPPER.valueToTree(reader.read(file)));
        }
    }

    private static JsonNode statistics(Path directory) throws IOException {
        Path file = directory.resolve(RunFiles.STATS);
        if (!Files.isRegularFile(file)) {
            throw new ConfigurationException(directory + ": no " + RunFiles.STATS
                    + " in it; expected the directory that a run has left with --out");
        }
        JsonNode root;
        try {
            root = MAPPER.readTree(InputFile.text(file));
        } catch (JsonProcessingException e) {
            throw new ConfigurationException(file + ": no JSON: " + e.getOriginalMessage());
        }
        String schema = root.path("schema").asText();
        if (!schema.equals(RunFiles.SCHEMA)) {
            throw new ConfigurationException(
                    file + ": schema '" + schema + "', expected '" + RunFiles.SCHEMA + "', the statistics of a run");
        }
        if (!root.path("stats").isArray()) {
            throw new ConfigurationException(file + ": no list 'stats' in it");
        }
        return root;
    }
}

package dev.clockwire.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Report() {}

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
        Path latency = directory.resolve(RunFiles.LATENCY);
        if (Files.isRegularFile(latency)) {
            data.set("latency", MAPPER.valueToTree(LatencyCurve.read(latency)));
        }
        return data;
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

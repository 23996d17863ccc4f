package dev.clockwire.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The page of several runs beside each other, or of a document that compares by itself. */
final class ComparisonPage {
    /** Colours that a reader can tell from each other. */
    private static final int MOST = 10;

    private static final String STORAGE = "clockwire.storage-compare/1";
    private static final String VALIDATE = "clockwire.validate/1";

    private ComparisonPage() {}

    /**
     * Returns the page of runs.
     *
     * @throws ConfigurationException if there are too many, or one is none
     */
    static String ofRuns(List<Path> directories) throws IOException {
        if (directories.size() > MOST) {
            throw new ConfigurationException(
                    directories.size() + " runs: at most " + MOST + " can be told apart on a page");
        }
        ObjectNode data = Report.MAPPER.createObjectNode();
        ArrayNode runs = data.putArray("runs");
        List<JsonNode> documents = new ArrayList<>();
        List<Configurations.Source> sources = new ArrayList<>();
        List<String> names = names(directories);
        for (Path directory : directories) {
            Path stats = directory.resolve(RunFiles.STATS);
            if (!Files.isRegularFile(stats)) {
                throw new ConfigurationException(
                        directory + ": no " + RunFiles.STATS + " in it; only runs can be compared, which --out leaves");
            }
            JsonNode document = Report.document(stats, RunFiles.SCHEMA, "the statistics of a run", "stats");
            documents.add(document);
            sources.add(new Configurations.Source(
                    document.path("command").asText(), document.path("profile").asText()));
            ObjectNode run = runs.addObject().put("name", names.get(documents.size() - 1));
            for (String field : List.of("command", "profile", "seed", "version", "simulated_ps", "waterfalls")) {
                if (document.has(field)) {
                    run.set(field, document.get(field));
                }
            }
            Report.add(run, "latency", directory.resolve(RunFiles.LATENCY), LatencyCurve::read);
        }
        data.set("statistics", Report.MAPPER.valueToTree(RunComparison.of(documents)));
        data.set("configuration", Report.MAPPER.valueToTree(Configurations.of(sources)));
        return Page.of(List.of("runs.js"), data.toString());
    }

    /** What distinguishes the directories: their paths without the folders that all of them are in. */
    static List<String> names(List<Path> directories) {
        List<Path> paths =
                directories.stream().map(d -> d.toAbsolutePath().normalize()).toList();
        Path common = paths.get(0).getParent();
        while (common != null && !paths.stream().allMatch(inside(common))) {
            common = common.getParent();
        }
        Path above = common;
        return paths.stream()
                .map(p -> (above == null ? p : above.relativize(p)).toString())
                .toList();
    }

    private static Predicate<Path> inside(Path folder) {
        return path -> path.startsWith(folder) && !path.equals(folder);
    }

    /**
     * Returns the page of a document.
     *
     * @throws ConfigurationException if it is none of those that compare
     */
    static String ofDocument(Path file) throws IOException {
        JsonNode document = Report.json(file);
        String schema = document.path("schema").asText();
        if (!schema.equals(STORAGE) && !schema.equals(VALIDATE)) {
            throw new ConfigurationException(
                    file + ": schema '" + schema + "', expected what 'storage compare --json' (" + STORAGE
                            + ") or 'validate --json' (" + VALIDATE + ") prints, or the directory of a run");
        }
        if (!document.path("rows").isArray()) {
            throw new ConfigurationException(file + ": no list 'rows' in it");
        }
        ObjectNode data = Report.MAPPER.createObjectNode();
        data.set(schema.equals(STORAGE) ? "storage" : "validation", document);
        return Page.of(List.of(schema.equals(STORAGE) ? "storage.js" : "validation.js"), data.toString());
    }
}

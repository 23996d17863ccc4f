package dev.clockwire.bench.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.text.ShellWord;
import dev.clockwire.sim.export.AtomicFile;
import dev.clockwire.sim.export.CsvWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a sweep leaves for others: a line per run, a line per point and measure, and both as one document. */
public final class ResultFiles {
    /** A line per run: the variables, the seed, how it ended, the measures. */
    public static final String ROWS = "results.csv";

    /** A line per point and measure: mean and 95 % interval. */
    public static final String INTERVALS = "intervals.csv";

    /** Both. */
    public static final String DOCUMENT = "results.json";

    /** First field of {@link #DOCUMENT}. */
    public static final String SCHEMA = "clockwire.sweep-results/1";

    /** The plan beside the rows: what they are rows of. */
    public static final String PLAN = "plan.yaml";

    /** Stands beside them while rows are missing. */
    public static final String INTERRUPTED = "INTERRUPTED";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Results results;
    private final List<String> variables;

    private ResultFiles(Results results) {
        this.results = results;
        variables = List.copyOf(results.plan().variables());
    }

    /** Writes all of them, and the mark if rows are missing; a page of earlier results goes. */
    public static void write(Results results, Path folder) throws IOException {
        ResultFiles files = new ResultFiles(results);
        if (Files.exists(folder.resolve(DOCUMENT))) {
            Files.deleteIfExists(folder.resolve(RunFiles.REPORT)); // it shows what stood here
        }
        AtomicFile.write(folder.resolve(ROWS), files.rows());
        AtomicFile.write(folder.resolve(INTERVALS), files.intervals());
        AtomicFile.write(folder.resolve(DOCUMENT), files.document() + "\n");
        mark(results, folder);
    }

    /** Leaves or removes the mark. */
    public static void mark(Results results, Path folder) throws IOException {
        if (results.missing().isEmpty()) {
            Files.deleteIfExists(folder.resolve(INTERRUPTED));
        } else {
            AtomicFile.write(
                    folder.resolve(INTERRUPTED),
                    "Rows are missing, " + results.missing().size() + " of "
                            + (results.runs() + results.missing().size()) + "; sweep --resume runs them.\n");
        }
    }

    private String rows() {
        List<String> header = new ArrayList<>(List.of("row", "point", "repetition", "seed"));
        header.addAll(variables);
        header.addAll(List.of("exit", "error"));
        header.addAll(results.measures());
        StringBuilder text = new StringBuilder();
        CsvWriter csv = new CsvWriter(text, header.toArray(String[]::new));
        for (Results.Entry e : results.entries()) {
            SweepRow row = e.row();
            csv.cell(row.number()).cell(row.point()).cell(row.repetition()).cell(row.seed());
            cells(csv, row.point());
            csv.cell(e.exit()).cell(e.error());
            for (String measure : results.measures()) {
                JsonNode value = e.measures().get(measure);
                csv.cell(value == null || value.isNull() ? "" : value.asText());
            }
            csv.endRow();
        }
        return text.toString();
    }

    private void cells(CsvWriter csv, int point) {
        Map<String, String> values = values(point);
        variables.forEach(v -> csv.cell(values.getOrDefault(v, "")));
    }

    private Map<String, String> values(int point) {
        return results.plan().points().get(point - 1);
    }

    private String intervals() {
        List<String> header = new ArrayList<>(List.of("point"));
        header.addAll(variables);
        header.addAll(List.of("measure", "n", "mean", "low", "high"));
        StringBuilder text = new StringBuilder();
        CsvWriter csv = new CsvWriter(text, header.toArray(String[]::new));
        results.byPoint()
                .forEach((point, entries) -> results.intervals(entries).forEach((measure, i) -> {
                    csv.cell(point);
                    cells(csv, point);
                    csv.cell(measure).cell(i.n()).cell(i.mean());
                    if (i.n() > 1) {
                        csv.cell(i.mean() - i.half()).cell(i.mean() + i.half());
                    } else {
                        csv.cell("").cell("");
                    }
                    csv.endRow();
                }));
        return text.toString();
    }

    /** A seed of the plan's own may be no number: the run has refused it then. */
    private static JsonNode number(String seed) {
        return seed.matches("-?\\d{1,18}") ? LongNode.valueOf(Long.parseLong(seed)) : TextNode.valueOf(seed);
    }

    private ObjectNode document() {
        ObjectNode all = MAPPER.createObjectNode().put("schema", SCHEMA);
        all.set("versions", MAPPER.valueToTree(results.versions()));
        all.put("runs", results.runs()).put("failed", results.failed());
        all.set("missing", MAPPER.valueToTree(results.missing()));
        ArrayNode rows = all.putArray("rows");
        for (Results.Entry e : results.entries()) {
            ObjectNode row = rows.addObject()
                    .put("row", e.row().number())
                    .put("point", e.row().point());
            row.put("repetition", e.row().repetition());
            row.set("seed", number(e.row().seed()));
            row.put("command", "clockwire " + ShellWord.line(e.row().arguments()));
            row.set("variables", MAPPER.valueToTree(values(e.row().point())));
            row.put("exit", e.exit()).put("error", e.error());
            row.set("measures", MAPPER.valueToTree(e.measures()));
        }
        ArrayNode points = all.putArray("points");
        results.byPoint().forEach((point, entries) -> {
            ObjectNode one = points.addObject().put("point", point);
            one.set("variables", MAPPER.valueToTree(values(point)));
            ObjectNode measures = one.putObject("measures");
            results.intervals(entries).forEach((measure, i) -> {
                ObjectNode m = measures.putObject(measure).put("n", i.n()).put("mean", i.mean());
                if (i.n() > 1) {
                    m.put("low", i.mean() - i.half()).put("high", i.mean() + i.half());
                }
            });
        });
        return all;
    }
}

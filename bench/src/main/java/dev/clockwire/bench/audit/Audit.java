package dev.clockwire.bench.audit;

import dev.clockwire.bench.csv.CsvFile;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks the claims of a file. */
public final class Audit {
    private Audit() {}

    /**
     * Checks every claim against every law that it states enough for.
     *
     * @throws IOException if the file cannot be read
     * @throws ConfigurationException with file and line if it is no file of claims, or has none
     */
    public static AuditReport of(Path file) throws IOException {
        CsvFile csv = CsvFile.read(file, Set.of("claim"), Claim.COLUMNS);
        if (csv.size() == 0) {
            throw new ConfigurationException(file + ": there is a heading, but no claim");
        }
        List<AuditReport.Row> rows = new ArrayList<>();
        for (int r = 0; r < csv.size(); r++) {
            rows.add(row(csv, r));
        }
        return new AuditReport(rows);
    }

    private static AuditReport.Row row(CsvFile csv, int r) {
        Claim claim = Claim.of(csv, r);
        List<Finding> findings = new ArrayList<>();
        for (var law : Laws.ALL) {
            Finding finding = law.apply(claim);
            if (finding != null) {
                findings.add(finding);
            }
        }
        if (findings.isEmpty()) {
            throw csv.wrong(r, "claim", "states too little: no law has anything to check");
        }
        Verdict worst =
                findings.stream().map(Finding::verdict).max(Verdict::compareTo).orElseThrow();
        return new AuditReport.Row(
                claim.name(),
                worst.word(),
                findings.stream()
                        .filter(f -> f.verdict() == worst)
                        .map(Finding::limit)
                        .collect(Collectors.joining("; ")),
                findings.stream()
                        .filter(f -> f.verdict() == worst)
                        .map(Finding::arithmetic)
                        .collect(Collectors.joining("; ")));
    }
}

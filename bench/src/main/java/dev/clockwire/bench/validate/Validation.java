package dev.clockwire.bench.validate;

import dev.clockwire.bench.csv.CsvFile;
import dev.clockwire.bench.perftest.PerftestResult;
import dev.clockwire.bench.perftest.PerftestRun;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Simulates every row of a file that can be simulated. */
public final class Validation {
    private static final String BUILT_IN = "published.csv";

    private final List<Measurement> rows;

    private Validation(List<Measurement> rows) {
        this.rows = rows;
    }

    /** Reads the built-in validation set. */
    public static Validation builtIn() throws IOException {
        try (InputStream in = Validation.class.getResourceAsStream(BUILT_IN)) {
            if (in == null) {
                throw new InvariantViolation(BUILT_IN + " is missing");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new Validation(Measurement.read(CsvFile.parse(BUILT_IN, text, Measurement.columns(), Set.of())));
        }
    }

    /**
     * Reads a file with the same columns.
     *
     * @throws IOException if the file cannot be read
     * @throws ConfigurationException with file and line if it is no such file
     */
    public static Validation of(Path file) throws IOException {
        return new Validation(Measurement.read(CsvFile.read(file, Measurement.columns(), Set.of())));
    }

    List<Measurement> rows() {
        return rows;
    }

    /**
     * Simulates.
     *
     * @param progress told what is done, one line a time
     * @param stop asked between and during runs; when it holds, the rows done so far are reported
     */
    public ValidationReport run(Consumer<String> progress, BooleanSupplier stop) {
        List<ValidationReport.Row> done = new ArrayList<>();
        Map<String, PerftestResult> known = new HashMap<>();
        for (Measurement m : rows) {
            if (stop.getAsBoolean()) {
                break;
            }
            ValidationReport.Row row = named(m, known, stop);
            if (row == null) {
                break;
            }
            done.add(row);
            if (row.simulated() != null) {
                progress.accept(
                        "row " + m.row() + " of " + rows.size() + ": " + m.nic() + ", " + m.tool() + " " + m.size());
            }
        }
        return ValidationReport.of(done);
    }

    /** Names the row in whatever makes its run impossible, such as a rate that no line has. */
    private static ValidationReport.@Nullable Row named(
            Measurement m, Map<String, PerftestResult> known, BooleanSupplier stop) {
        try {
            return row(m, known, stop);
        } catch (ConfigurationException e) {
            throw new ConfigurationException("row " + m.row() + ": " + e.getMessage());
        }
    }

    /** Returns null if the run of the row was interrupted: a part of one is no figure to compare. */
    private static ValidationReport.@Nullable Row row(
            Measurement m, Map<String, PerftestResult> known, BooleanSupplier stop) {
        Unsupported refusal = RowRules.refusal(m);
        if (refusal != null) {
            return row(m, null, refusal, null);
        }
        Profile profile = DeviceRules.of(m, Profiles::named);
        PerftestResult result =
                known.computeIfAbsent(key(m, profile), k -> new PerftestRun(RunRules.spec(m, profile)).run(stop));
        if (result.interrupted() != null) {
            return null;
        }
        return row(m, quantity(m).in(m.unit(), result), null, profile);
    }

    /** What a run depends on: rows that state two quantities of one run share it. */
    private static String key(Measurement m, Profile profile) {
        return RunRules.spec(m, profile).toString();
    }

    private static ValidationReport.Row row(
            Measurement m, @Nullable Double value, @Nullable Unsupported why, @Nullable Profile profile) {
        boolean odd = value != null && value.isNaN();
        if (odd) {
            throw new ConfigurationException("unit '" + m.unit() + "' does not belong to '" + m.metric() + "'");
        }
        return new ValidationReport.Row(
                m.row(),
                m.source(),
                m.nic(),
                m.tool(),
                m.metric(),
                m.size() == 0 ? null : m.size(),
                m.unit(),
                m.confidence(),
                m.expected(),
                value == null ? null : round(value),
                value == null ? null : round(100 * (value / m.expected() - 1)),
                why == null ? null : why.word(),
                profile == null ? null : profile.toString());
    }

    private static double round(double value) {
        return Math.round(value * 1e4) / 1e4;
    }

    /** Simulates one row on given hardware and returns its quantity in the row's unit. */
    static double simulate(Measurement m, DeviceRules.Source profiles) {
        Profile profile = DeviceRules.of(m, profiles);
        return quantity(m).in(m.unit(), new PerftestRun(RunRules.spec(m, profile)).run(() -> false));
    }

    private static Quantity quantity(Measurement m) {
        Quantity quantity = Quantity.of(m.metric());
        if (quantity == null) {
            throw new InvariantViolation("row " + m.row() + " has no quantity");
        }
        return quantity;
    }
}

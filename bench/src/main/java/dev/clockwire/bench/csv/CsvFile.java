package dev.clockwire.bench.csv;

import dev.clockwire.bench.text.Decimal;
import dev.clockwire.bench.text.InputFile;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A comma-separated file with a heading, as RFC 4180 describes it: quotes around a field, doubled quotes inside, LF or CRLF.
 * A byte order mark and empty lines are passed over.
 */
public final class CsvFile {
    private final String name;
    private final List<String> columns;
    private final List<CsvRecord> records;

    private CsvFile(String name, List<String> columns, List<CsvRecord> records) {
        this.name = name;
        this.columns = columns;
        this.records = records;
    }

    /**
     * Reads a file.
     *
     * @param needed columns that must be there
     * @param known columns that may be there; any other is refused. Empty: any column may
     * @throws IOException if the file cannot be read
     * @throws ConfigurationException with file and line if it is no such file
     */
    public static CsvFile read(Path file, Set<String> needed, Set<String> known) throws IOException {
        return parse(file.toString(), InputFile.text(file), needed, known);
    }

    /** Reads a text; otherwise as {@link #read}. */
    public static CsvFile parse(String name, String text, Set<String> needed, Set<String> known) {
        List<CsvRecord> all = new CsvParser(name, text).records();
        if (all.isEmpty()) {
            throw new ConfigurationException(name + ": empty, the first line names the columns");
        }
        List<String> columns = all.get(0).fields().stream().map(String::strip).toList();
        check(name, columns, needed, known);
        List<CsvRecord> records = new ArrayList<>();
        for (CsvRecord r : all.subList(1, all.size())) {
            if (r.fields().size() != columns.size()) {
                throw new ConfigurationException(name + ":" + r.line() + ": "
                        + r.fields().size() + " fields, but the heading names " + columns.size() + " columns");
            }
            records.add(r);
        }
        return new CsvFile(name, columns, List.copyOf(records));
    }

    private static void check(String name, List<String> columns, Set<String> needed, Set<String> known) {
        Set<String> seen = new LinkedHashSet<>();
        for (String column : columns) {
            if (!seen.add(column)) {
                throw new ConfigurationException(name + ":1: column '" + column + "' stands there twice");
            }
            if (!known.isEmpty() && !known.contains(column)) {
                throw new ConfigurationException(name + ":1: unknown column '" + column + "'; columns are "
                        + String.join(", ", known.stream().sorted().toList()));
            }
        }
        for (String column : needed.stream().sorted().toList()) {
            if (!seen.contains(column)) {
                throw new ConfigurationException(name + ":1: there is no column '" + column + "'");
            }
        }
    }

    /** Returns how many records there are, the heading not counted. */
    public int size() {
        return records.size();
    }

    /** Returns the text of a record's field without blanks around it, empty if there is no such column. */
    public String text(int record, String column) {
        int i = columns.indexOf(column);
        return i < 0 ? "" : records.get(record).fields().get(i).strip();
    }

    /** Returns a refusal of a field, with file and line. */
    public ConfigurationException wrong(int record, String column, String why) {
        return new ConfigurationException(
                name + ":" + records.get(record).line() + ": " + column + " '" + text(record, column) + "': " + why);
    }

    /**
     * Returns a field as a positive number; NaN if it is empty.
     *
     * @throws ConfigurationException with file and line if it is anything else
     */
    public double number(int record, String column) {
        String text = text(record, column);
        if (text.isEmpty()) {
            return Double.NaN;
        }
        try {
            double number = Decimal.of(text);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(record, column, "a positive number belongs here");
        }
        throw wrong(record, column, "a positive number belongs here");
    }
}

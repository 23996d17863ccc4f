package dev.clockwire.sim.export;

import dev.clockwire.sim.error.InvariantViolation;
import java.io.IOException;

/** Writes comma-separated values (RFC 4180 quoting, lines ended by a line feed): a header and rows of as many cells. */
public final class CsvWriter {
    private final Appendable out;
    private final int columns;
    private int cells;

    /** Writes the header. */
    public CsvWriter(Appendable out, String... header) {
        this.out = out;
        columns = header.length;
        for (String name : header) {
            cell(name);
        }
        endRow();
    }

    /** Writes the next cell of the row; an empty string is an empty cell. */
    public CsvWriter cell(String x) {
        if (cells == columns) {
            throw new InvariantViolation("CSV: more than " + columns + " cells in a row");
        }
        if (cells++ > 0) {
            put(",");
        }
        boolean quoted = x.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        put(quoted ? '"' + x.replace("\"", "\"\"") + '"' : x);
        return this;
    }

    /** Writes the next cell of the row. */
    public CsvWriter cell(long x) {
        return cell(Long.toString(x));
    }

    /** Writes the next cell of the row, a finite number with 15 significant digits. */
    public CsvWriter cell(double x) {
        return cell(Decimals.text("a CSV cell", x));
    }

    /** Ends the row; all columns must be there. */
    public void endRow() {
        if (cells != columns) {
            throw new InvariantViolation("CSV: " + cells + " cells in a row of " + columns);
        }
        put("\n");
        cells = 0;
    }

    private void put(String s) {
        try {
            out.append(s);
        } catch (IOException e) {
            throw AtomicFile.unwritable("CSV", e);
        }
    }
}

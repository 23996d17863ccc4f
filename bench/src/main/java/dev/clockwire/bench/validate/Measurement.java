package dev.clockwire.bench.validate;

import dev.clockwire.bench.csv.CsvFile;
import dev.clockwire.bench.text.Decimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One published result as it stands in a file. Everything but {@code value} says what was measured; {@code value} is compared
 * with, never used to simulate.
 *
 * @param row number of the data row, from 1
 * @param linkGbps signalling rate of the port as vendors name it, NaN if not stated
 * @param size bytes of a message, 0 if not applicable
 * @param expected the published value, NaN if it is not a number
 */
record Measurement(
        int row,
        String source,
        String nic,
        double linkGbps,
        String pcie,
        String tool,
        long size,
        String depth,
        String metric,
        double expected,
        String unit,
        String confidence,
        String note) {

    /** What a queue pair sends at most. */
    private static final long LARGEST = 1L << 30;

    private static final Set<String> COLUMNS = Set.of(
            "source",
            "nic",
            "link_gbps",
            "pcie",
            "tool",
            "size_bytes",
            "qps_depth",
            "metric",
            "value",
            "unit",
            "confidence",
            "note");

    /** Reads all rows of a file. */
    static List<Measurement> read(CsvFile file) {
        List<Measurement> rows = new ArrayList<>();
        for (int r = 0; r < file.size(); r++) {
            rows.add(of(file, r));
        }
        return rows;
    }

    /** Returns the columns that a file must have. */
    static Set<String> columns() {
        return COLUMNS;
    }

    private static Measurement of(CsvFile file, int r) {
        return new Measurement(
                r + 1,
                file.text(r, "source"),
                file.text(r, "nic"),
                file.number(r, "link_gbps"),
                file.text(r, "pcie"),
                file.text(r, "tool"),
                size(file, r),
                file.text(r, "qps_depth"),
                file.text(r, "metric"),
                value(file, r),
                file.text(r, "unit"),
                file.text(r, "confidence"),
                file.text(r, "note"));
    }

    private static long size(CsvFile file, int r) {
        String text = file.text(r, "size_bytes");
        if (text.isEmpty()) {
            return 0;
        }
        if (!text.matches("[0-9]{1,10}") || Long.parseLong(text) > LARGEST) {
            throw file.wrong(r, "size_bytes", "a whole number of bytes up to 1 GiB belongs here");
        }
        return Long.parseLong(text);
    }

    private static double value(CsvFile file, int r) {
        String text = file.text(r, "value").replaceAll("^[<>=~]+", "");
        try {
            return Decimal.of(text);
        } catch (NumberFormatException e) {
            throw file.wrong(r, "value", "a number belongs here");
        }
    }
}

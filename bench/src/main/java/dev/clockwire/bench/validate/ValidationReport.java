package dev.clockwire.bench.validate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of all rows. The component names are the field names of the JSON document.
 *
 * @param rows in the order of the file
 * @param ok rows within the tolerance
 * @param failed rows beyond it
 * @param medianAbsErrorPct of the rows that were simulated and count, null if there is none
 */
public record ValidationReport(
        List<Row> rows, int ok, int failed, @Nullable Double medianAbsErrorPct) {
    /** A row is well within this share of the published value, in percent. */
    public static final double TOLERANCE_PERCENT = 12;

    /**
     * One row.
     *
     * @param row number of the data row, from 1
     * @param source where it was published
     * @param nic the device as the file words it
     * @param tool the tool as the file words it
     * @param metric what is measured
     * @param size bytes of a message, null if not applicable
     * @param unit unit of both values
     * @param confidence of the published value; C does not count as ok or failed
     * @param expected the published value
     * @param simulated ours, null if unsupported
     * @param errorPct ours over the published one less one, null if unsupported
     * @param unsupported why it was not simulated, null if it was
     * @param profile the profile with what the row changed, null if unsupported
     */
    public record Row(
            int row,
            String source,
            String nic,
            String tool,
            String metric,
            @Nullable Long size,
            String unit,
            String confidence,
            double expected,
            @Nullable Double simulated,
            @Nullable Double errorPct,
            @Nullable String unsupported,
            @Nullable String profile) {

        /** Returns whether the row counts: it was simulated, and its source is solid. */
        boolean counts() {
            return errorPct != null && !confidence.equals("C");
        }

        /** Returns whether the row was simulated, but does not count. */
        public boolean isWeak() {
            return errorPct != null && confidence.equals("C");
        }

        /** Returns whether ours is within the tolerance. */
        public boolean isOk() {
            return errorPct != null && Math.abs(errorPct) <= TOLERANCE_PERCENT;
        }
    }

    static ValidationReport of(List<Row> rows) {
        List<Row> counted = rows.stream().filter(Row::counts).toList();
        int good = (int) counted.stream().filter(Row::isOk).count();
        double[] errors = counted.stream()
                .mapToDouble(r -> r.errorPct() == null ? 0 : Math.abs(r.errorPct()))
                .sorted()
                .toArray();
        Double median = errors.length == 0 ? null : median(errors);
        return new ValidationReport(List.copyOf(rows), good, counted.size() - good, median);
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}

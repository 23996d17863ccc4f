package dev.clockwire.bench.audit;

import java.util.List;

/**
 * The verdicts on all claims of a file. The component names are the field names of the JSON document.
 *
 * @param rows in the order of the file
 */
public record AuditReport(List<Row> rows) {
    /**
     * The verdict on one claim.
     *
     * @param claim as the file words it
     * @param verdict {@code consistent}, {@code needs} or {@code impossible}: the worst of all laws
     * @param limit the laws that led to it
     * @param arithmetic the numbers of every law that had something to check
     */
    public record Row(String claim, String verdict, String limit, String arithmetic) {}
}

package dev.clockwire.bench.nvmf;

import org.jspecify.annotations.Nullable;

/**
 * A published figure of SSDs or their software beside ours. The component names are the field names of the JSON document.
 *
 * @param row number of the data row, from 1
 * @param source where it was published
 * @param setup as the file words it
 * @param metric as the file words it
 * @param unit of both values
 * @param quality of the source: primary, secondary, vendor, derived
 * @param expected the published value, null if there is none
 * @param simulated ours, null if unsupported
 * @param errorPct ours over the published one less one
 * @param tolerancePct what counts as met
 * @param unsupported why it was not simulated, null if it was
 * @param command what makes our value, null if unsupported
 */
public record SsdRow(
        int row,
        String source,
        String setup,
        String metric,
        String unit,
        String quality,
        @Nullable Double expected,
        @Nullable Double simulated,
        @Nullable Double errorPct,
        @Nullable Double tolerancePct,
        @Nullable String unsupported,
        @Nullable String command) {
    /** Returns whether ours is within the tolerance. */
    public boolean isOk() {
        return errorPct != null && tolerancePct != null && Math.abs(errorPct) <= tolerancePct;
    }

    /** Returns whether it was simulated. */
    public boolean hasResult() {
        return simulated != null;
    }
}

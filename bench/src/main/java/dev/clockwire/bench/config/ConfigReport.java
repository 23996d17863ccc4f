package dev.clockwire.bench.config;

import java.util.List;

/**
 * What configuration files do to a simulated NIC.
 *
 * @param recognised lines that a format understood
 * @param unknown lines of programs that no format knows
 * @param findings lines that do something else than expected
 * @param overrides values of the profile that the lines change, as for {@code -P}
 */
public record ConfigReport(
        List<Recognised> recognised, List<Unknown> unknown, List<Finding> findings, List<ProfileValue> overrides) {
    /** Copies the lists. */
    public ConfigReport {
        recognised = List.copyOf(recognised);
        unknown = List.copyOf(unknown);
        findings = List.copyOf(findings);
        overrides = List.copyOf(overrides);
    }

    /**
     * A line that was understood.
     *
     * @param format of the line
     * @param effect what it does, in words
     */
    public record Recognised(String file, int line, String text, String format, String effect) {}

    /** A line that no format knows. */
    public record Unknown(String file, int line, String text) {}

    /**
     * A line that does not do what it looks like.
     *
     * @param rule fixed name of the rule
     * @param severity {@code error}: something stops working; {@code warning}: not what was meant; {@code note}: no effect here
     * @param where file and line
     * @param number the value that the finding is about
     * @param cure what to write instead
     */
    public record Finding(String rule, String severity, String where, long number, String message, String cure) {}

    /** A value of the profile. */
    public record ProfileValue(String path, String value) {}
}

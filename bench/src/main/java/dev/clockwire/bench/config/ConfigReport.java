package dev.clockwire.bench.config;

import dev.clockwire.bench.config.model.Finding;
import dev.clockwire.bench.config.model.Parameter;
import dev.clockwire.bench.config.model.Recognised;
import dev.clockwire.bench.config.model.Unknown;
import java.util.List;

/**
 * What configuration files do to simulated NICs, hosts and switches.
 *
 * @param recognised lines that a format understood
 * @param unknown lines that no format knows
 * @param findings lines that do something else than expected
 * @param overrides values of the profile that the lines change, as for {@code -P}
 * @param parameters what the files set on switches and hosts of a fabric
 */
public record ConfigReport(
        List<Recognised> recognised,
        List<Unknown> unknown,
        List<Finding> findings,
        List<ProfileValue> overrides,
        List<Parameter> parameters) {
    /** Copies the lists. */
    public ConfigReport {
        recognised = List.copyOf(recognised);
        unknown = List.copyOf(unknown);
        findings = List.copyOf(findings);
        overrides = List.copyOf(overrides);
        parameters = List.copyOf(parameters);
    }

    /** Says nothing. */
    public static ConfigReport nothing() {
        return new ConfigReport(List.of(), List.of(), List.of(), List.of(), List.of());
    }

    /** A value of the profile. */
    public record ProfileValue(String path, String value) {}
}

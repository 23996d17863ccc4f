package dev.clockwire.bench.config.model;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A value that a file sets, for printing.
 *
 * @param port empty: for all ports
 * @param priority null: of the port as a whole
 * @param where file and line
 */
public record Parameter(
        String device, String port, @Nullable Integer priority, String name, double value, String unit, String where) {
    static Parameter of(
            String device, String port, @Nullable Integer priority, String name, Setting setting, String unit) {
        return new Parameter(
                device, port, priority, name.toLowerCase(Locale.ROOT), setting.value(), unit, setting.where());
    }
}

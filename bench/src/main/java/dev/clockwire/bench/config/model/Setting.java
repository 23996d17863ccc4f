package dev.clockwire.bench.config.model;

/**
 * A value and the line that set it.
 *
 * @param value in the unit of its key; switches are 0 and 1
 * @param where file and line
 */
public record Setting(double value, String where) {
    /** Returns the value as a whole number. */
    public long whole() {
        return Math.round(value);
    }

    /** Whether it is switched on. */
    public boolean on() {
        return value != 0;
    }
}

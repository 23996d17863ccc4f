package dev.clockwire.nic.profile;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Plain;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The definition of one hardware parameter.
 *
 * @param path dotted name, as the user types it
 * @param kind how its text is read
 * @param unit unit of the value, empty for counts, switches and names
 * @param min smallest number allowed
 * @param max largest number allowed
 * @param choices the only texts allowed; empty where the range decides
 * @param meaning one sentence
 */
public record Param(String path, Kind kind, String unit, double min, double max, List<String> choices, String meaning) {
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");

    /** How the text of a value is read. */
    public enum Kind {
        /** A whole number. */
        INTEGER,
        /** A decimal number. */
        NUMBER,
        /** {@code true} or {@code false}. */
        SWITCH,
        /** One of a few words. */
        CHOICE
    }

    static Param integer(String path, String unit, long min, long max, String meaning) {
        return new Param(path, Kind.INTEGER, unit, min, max, List.of(), meaning);
    }

    static Param number(String path, String unit, double min, double max, String meaning) {
        return new Param(path, Kind.NUMBER, unit, min, max, List.of(), meaning);
    }

    static Param flag(String path, String meaning) {
        return new Param(path, Kind.SWITCH, "", 0, 1, List.of("true", "false"), meaning);
    }

    static Param choice(String path, String unit, String meaning, String... choices) {
        return new Param(path, Kind.CHOICE, unit, 0, 0, List.of(choices), meaning);
    }

    /**
     * Returns the value in its canonical text.
     *
     * @throws ConfigurationException if the text is no value of this parameter
     */
    String check(String text) {
        String value = text.strip();
        if (!choices.isEmpty()) {
            if (!choices.contains(value)) {
                throw wrong(text);
            }
            return value;
        }
        double number = parse(value);
        if (!(number >= min && number <= max) || !isStep(number)) {
            throw wrong(text);
        }
        return kind == Kind.INTEGER ? Long.toString((long) number) : value;
    }

    /** Returns the one text of all that mean the same value: {@code 1.50} and {@code 15e-1} are {@code 1.5}. */
    String canonical(String value) {
        return kind == Kind.NUMBER ? new BigDecimal(value).stripTrailingZeros().toPlainString() : value;
    }

    /** Integers are whole, times are whole picoseconds: anything finer would be rounded away in silence. */
    private boolean isStep(double number) {
        if (kind == Kind.INTEGER) {
            return number == Math.rint(number);
        }
        return !unit.equals("ns") || Math.abs(number * 1000 - Math.rint(number * 1000)) < 1e-6;
    }

    /** Java reads more than a number: {@code 1d} and {@code 0x1p3} are mistakes here, {@code d} looks like a unit. */
    private double parse(String value) {
        if (!NUMBER.matcher(value).matches()) {
            throw wrong(value);
        }
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw wrong(value);
        }
    }

    private ConfigurationException wrong(String text) {
        return new ConfigurationException(path + "=" + text + ": allowed is " + allowed());
    }

    /**
     * Says why this parameter can change nothing in a run, and what to add so that it does.
     *
     * @param profile the whole hardware
     * @param parts what the run has besides
     * @return one line, empty if the parameter may change something
     */
    public Optional<String> withoutEffect(Profile profile, Set<RunPart> parts) {
        return Needs.lacking(path, profile, parts);
    }

    /** Returns the allowed values in words. */
    public String allowed() {
        if (!choices.isEmpty()) {
            return String.join(", ", choices);
        }
        String range = Plain.text(min) + " to " + Plain.text(max);
        String what = kind == Kind.INTEGER ? "a whole number from " : "a number from ";
        String steps = unit.equals("ns") ? " in steps of 0.001" : "";
        return what + range + (unit.isEmpty() ? "" : " " + unit) + steps;
    }
}

package dev.clockwire.testkit;

import org.assertj.core.api.AbstractAssert;

/**
 * What assertions about parts of a design share: their errors name the part, so that a failure shows what happened there.
 *
 * @param <S> the assertion itself
 * @param <A> what it is about
 */
public abstract class ModelAssert<S extends ModelAssert<S, A>, A> extends AbstractAssert<S, A> {
    private final String path;

    /**
     * Starts an assertion.
     *
     * @param path full name of the part, empty if it is about none
     */
    protected ModelAssert(A actual, Class<?> self, String path) {
        super(actual, self);
        this.path = path;
    }

    /** Returns the error; the text begins with the description that the test gave. */
    protected final ModelAssertionError error(String text) {
        return new ModelAssertionError(path, described(text));
    }

    /** Returns the error of a value that is not the one expected. */
    protected final ModelAssertionError error(String text, Object expected, Object found) {
        return new ModelAssertionError(path, described(text), expected, found);
    }

    /** Fails if a value is not within bounds, both included. */
    protected final void within(String what, long value, long least, long most, String unit) {
        if (value < least || value > most) {
            String behind = unit.isEmpty() ? "" : " " + unit;
            throw error(what + " is " + value + behind + ", expected " + range(least, most) + behind);
        }
    }

    private static String range(long least, long most) {
        if (least == Long.MIN_VALUE) {
            return "at most " + most;
        }
        return least == most ? "" + least : most == Long.MAX_VALUE ? "at least " + least : least + " to " + most;
    }

    private String described(String text) {
        return info.hasDescription() ? "[" + descriptionText() + "] " + text : text;
    }
}

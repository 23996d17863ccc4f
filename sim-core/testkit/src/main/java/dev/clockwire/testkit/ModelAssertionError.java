package dev.clockwire.testkit;

import org.opentest4j.AssertionFailedError;

/** A failed assertion about a part of a design, whose full name it carries: the text of a failure shows what happened there. */
public final class ModelAssertionError extends AssertionFailedError {
    private static final long serialVersionUID = 1L;

    private final String path;

    /**
     * Creates the error.
     *
     * @param path full name of a channel, a block, a host; empty if none is concerned
     */
    public ModelAssertionError(String path, String text) {
        super(text);
        this.path = path;
    }

    /** Creates the error of a value that is not the one expected; development environments show the difference. */
    public ModelAssertionError(String path, String text, Object expected, Object found) {
        super(text, expected, found);
        this.path = path;
    }

    /** Returns the full name. */
    public String path() {
        return path;
    }
}

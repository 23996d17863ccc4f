package dev.clockwire.roce.verbs;

import dev.clockwire.sim.error.ConfigurationException;

/** A verb refused its arguments, or could not do what they ask. Nothing has changed, except what {@link #badIndex} says. */
public final class VerbsException extends ConfigurationException {
    /** The value of {@link #badIndex} of verbs that take no list. */
    public static final int NO_INDEX = -1;

    private static final long serialVersionUID = 1L;

    private final Errno errno;
    private final String verb;
    private final int badIndex;

    /**
     * Creates the exception of a verb without a list.
     *
     * @param verb name in C without {@code ibv_}, for instance {@code create_cq}
     * @param text one line: the value and the allowed range
     */
    public VerbsException(Errno errno, String verb, String text) {
        this(errno, verb, NO_INDEX, text);
    }

    /**
     * Creates the exception of a verb that takes a list of work requests.
     *
     * @param badIndex index of the first work request that was not taken; the earlier ones were
     */
    public VerbsException(Errno errno, String verb, int badIndex, String text) {
        super(verb + (badIndex == NO_INDEX ? "" : "[" + badIndex + "]") + ": " + errno + ": " + text);
        this.errno = errno;
        this.verb = verb;
        this.badIndex = badIndex;
    }

    /** Returns the error number. */
    public Errno errno() {
        return errno;
    }

    /** Returns the name of the verb in C, without {@code ibv_}. */
    public String verb() {
        return verb;
    }

    /** Returns the index of the first work request that was not taken, or {@link #NO_INDEX}. */
    public int badIndex() {
        return badIndex;
    }
}

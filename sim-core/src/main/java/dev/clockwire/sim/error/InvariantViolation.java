package dev.clockwire.sim.error;

/** Our bug, or a block that broke a law of the kernel: the run cannot be trusted any more. */
public final class InvariantViolation extends SimException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception for an error in no particular module, before time zero. */
    public InvariantViolation(String text) {
        super("", BEFORE_TIME_ZERO, text);
    }

    /** Creates the exception for an error in no particular module that the JVM reported in its own words. */
    public InvariantViolation(String text, Throwable cause) {
        super("", BEFORE_TIME_ZERO, text + ": " + cause);
        initCause(cause);
    }

    /** Creates the exception for an error in a module at a time; see {@link SimException}. */
    public InvariantViolation(String module, long ps, String text) {
        super(module, ps, text);
    }
}

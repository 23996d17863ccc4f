package dev.clockwire.sim.error;

/**
 * Root of everything a model throws. It says where in the model and when in simulated time the error happened; a time of
 * {@link #BEFORE_TIME_ZERO} means during construction or elaboration.
 */
public abstract class SimException extends RuntimeException {
    /** The time of an error that was found before the simulation started. */
    public static final long BEFORE_TIME_ZERO = -1;

    private static final long serialVersionUID = 1L;

    private final String module;
    private final long ps;

    /**
     * Creates the exception.
     *
     * @param module hierarchical path of the module, empty if none is concerned
     * @param ps simulated time in picoseconds, or {@link #BEFORE_TIME_ZERO}
     * @param text one line: the value, the allowed range, the nearest valid name
     */
    protected SimException(String module, long ps, String text) {
        super(text(module, ps, text));
        this.module = module;
        this.ps = ps;
    }

    /** Returns the hierarchical path of the module, empty if none is concerned. */
    public final String module() {
        return module;
    }

    /** Returns the simulated time in picoseconds, or {@link #BEFORE_TIME_ZERO}. */
    public final long ps() {
        return ps;
    }

    private static String text(String module, long ps, String text) {
        String where = module.isEmpty() ? "" : module + ": ";
        return ps == BEFORE_TIME_ZERO
                ? where + text
                : "[" + ps / 1000 + "." + threeDigits(ps % 1000) + " ns] " + where + text;
    }

    private static String threeDigits(long fraction) {
        return Long.toString(1000 + fraction).substring(1);
    }
}

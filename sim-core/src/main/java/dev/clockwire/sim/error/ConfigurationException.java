package dev.clockwire.sim.error;

/** The user's mistake: what, where, the allowed range and the nearest valid name. */
public class ConfigurationException extends SimException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception for an error in no particular module, before time zero. */
    public ConfigurationException(String text) {
        super("", BEFORE_TIME_ZERO, text);
    }

    /** Creates the exception for an error in a module at a time; see {@link SimException}. */
    public ConfigurationException(String module, long ps, String text) {
        super(module, ps, text);
    }
}

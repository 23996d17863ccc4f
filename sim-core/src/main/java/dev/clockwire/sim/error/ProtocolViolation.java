package dev.clockwire.sim.error;

/** Modelled hardware or a peer broke a rule and nothing in the model turns it into a counter, a NAK or a status. */
public final class ProtocolViolation extends SimException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception for an error in no particular module, before time zero. */
    public ProtocolViolation(String text) {
        super("", BEFORE_TIME_ZERO, text);
    }

    /** Creates the exception for an error in a module at a time; see {@link SimException}. */
    public ProtocolViolation(String module, long ps, String text) {
        super(module, ps, text);
    }
}

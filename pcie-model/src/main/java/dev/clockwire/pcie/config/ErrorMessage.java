package dev.clockwire.pcie.config;

/** The messages by which a function reports errors to the root complex, with their codes in the base specification. */
public enum ErrorMessage {
    /** A correctable error. */
    CORRECTABLE(0x30),
    /** An error that is neither corrected nor fatal. */
    NON_FATAL(0x31),
    /** A fatal error: the link is not to be trusted. */
    FATAL(0x33);

    private final int code;

    ErrorMessage(int code) {
        this.code = code;
    }

    /** Returns the message code. */
    public int code() {
        return code;
    }
}

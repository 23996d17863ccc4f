package dev.clockwire.storage.rpc;

import dev.clockwire.sim.error.ConfigurationException;

/** A call that is answered with an error. */
public final class RpcException extends ConfigurationException {
    private static final long serialVersionUID = 1L;

    private final int code;

    /**
     * Creates the exception.
     *
     * @param code one of {@link RpcError}, or a negated error number of Linux
     */
    public RpcException(int code, String text) {
        super(text);
        this.code = code;
    }

    /** Returns the code. */
    public int code() {
        return code;
    }

    /** Returns an error about parameters. */
    public static RpcException invalid(String text) {
        return new RpcException(RpcError.INVALID_PARAMS, "Invalid parameters: " + text);
    }
}

package dev.clockwire.storage.rpc;

/** Codes of errors: those of JSON-RPC, and SPDK's own. Others are error numbers of Linux, negated. */
public final class RpcError {
    /** The text is not JSON. */
    public static final int PARSE_ERROR = -32_700;
    /** The JSON is no request. */
    public static final int INVALID_REQUEST = -32_600;
    /** There is no such method. */
    public static final int METHOD_NOT_FOUND = -32_601;
    /** A parameter is missing, unknown, or not what it must be. */
    public static final int INVALID_PARAMS = -32_602;
    /** The method failed in a way that it should not. */
    public static final int INTERNAL_ERROR = -32_603;
    /** The method can only be called before, or after, the framework is started. */
    public static final int INVALID_STATE = -1;

    private RpcError() {}
}

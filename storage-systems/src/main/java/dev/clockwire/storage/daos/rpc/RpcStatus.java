package dev.clockwire.storage.daos.rpc;

/** How an RPC ended. */
public enum RpcStatus {
    /** Done. */
    OK(0),
    /** There is no such value. */
    NONEXIST(1),
    /** Ask the leader (DER_INPROGRESS of a replica that is not). */
    TO_LEADER(2),
    /** The pool map of who asked is too old (DER_STALE). */
    STALE(3),
    /** Not now; ask again. */
    AGAIN(4),
    /** No answer in time, or no connection. */
    UNREACHABLE(5),
    /** It makes no sense. */
    INVALID(6),
    /** No room. */
    NOSPACE(7),
    /** The disk failed. */
    IO(8),
    /** Content and checksum differ. */
    CSUM(9);

    private final int code;

    RpcStatus(int code) {
        this.code = code;
    }

    /** Returns the number on the wire. */
    public int code() {
        return code;
    }

    /** Returns the one with a number. */
    public static RpcStatus of(int code) {
        for (RpcStatus s : values()) {
            if (s.code == code) {
                return s;
            }
        }
        return INVALID;
    }
}

package dev.clockwire.roce.wire;

/** How much payload a packet of an opcode carries, pad bytes not counted. */
public enum PayloadRule {
    /** No payload. */
    NONE,
    /** Exactly the path MTU: FIRST and MIDDLE packets, never padded. */
    FULL,
    /** One byte up to the path MTU: LAST packets. */
    NONEMPTY,
    /** Zero up to the path MTU: ONLY packets. */
    ANY,
    /** Eight bytes: ATOMIC WRITE. */
    EIGHT;

    /**
     * Tells whether a packet may have this payload.
     *
     * @param length payload in bytes without padding
     * @param pathMtu path MTU in bytes
     */
    public boolean allows(int length, int pathMtu) {
        return switch (this) {
            case NONE -> length == 0;
            case FULL -> length == pathMtu;
            case NONEMPTY -> length >= 1 && length <= pathMtu;
            case ANY -> length >= 0 && length <= pathMtu;
            case EIGHT -> length == 8;
        };
    }
}

package dev.clockwire.roce.verbs;

/** A maximum transmission unit in bytes of payload ({@code ibv_mtu}). */
public enum Mtu {
    /** 256 bytes. */
    MTU_256(1, 256),
    /** 512 bytes. */
    MTU_512(2, 512),
    /** 1024 bytes. */
    MTU_1024(3, 1024),
    /** 2048 bytes. */
    MTU_2048(4, 2048),
    /** 4096 bytes. */
    MTU_4096(5, 4096);

    private final int code;
    private final int bytes;

    Mtu(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** Returns the value of the C enum. */
    public int code() {
        return code;
    }

    /** Returns the bytes of payload. */
    public int bytes() {
        return bytes;
    }

    /**
     * Returns the MTU of a size.
     *
     * @throws VerbsException if the size is none of the five
     */
    public static Mtu ofBytes(int bytes) {
        for (Mtu mtu : values()) {
            if (mtu.bytes == bytes) {
                return mtu;
            }
        }
        throw new VerbsException(
                Errno.EINVAL, "modify_qp", "path MTU " + bytes + ": must be 256, 512, 1024, 2048 or 4096");
    }
}

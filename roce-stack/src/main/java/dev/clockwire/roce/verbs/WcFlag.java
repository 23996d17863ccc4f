package dev.clockwire.roce.verbs;

/** What a work completion carries ({@code ibv_wc_flags}). */
public enum WcFlag {
    /** The first 40 bytes of the receive buffers are the global route header. */
    GRH(1),
    /** There is immediate data. */
    WITH_IMM(2),
    /** A key was invalidated. */
    WITH_INV(8);

    private final int code;

    WcFlag(int code) {
        this.code = code;
    }

    /** Returns the bit of the C enum. */
    public int code() {
        return code;
    }

    /** Tells whether a C mask contains this flag. */
    public boolean in(int mask) {
        return (mask & code) != 0;
    }
}

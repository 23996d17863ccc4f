package dev.clockwire.sim.mem;

/** What the owner of a range may do with it, and what the program may not do meanwhile. */
public enum Hold {
    /** A work request reads it: the program may read, not write. */
    DEVICE_READS(true, "the device reads it"),
    /** A work request writes it: the program may neither read nor write. */
    DEVICE_WRITES(false, "the device writes it"),
    /** A peer may read it: the program may read, not write. */
    PEER_READS(true, "a peer may read it"),
    /** A peer may write it, and read it: the program may neither read nor write. */
    PEER_WRITES(false, "a peer may write it"),
    /** A peer may write it, and the program looks at it meanwhile to see when: it may read, not write. */
    PEER_WRITES_POLLED(true, "a peer may write it while the program polls it"),
    /** It lies in a pool, and nobody may touch it before it is taken out. */
    FREE(false, "it lies in a pool");

    private final boolean readable;
    private final String text;

    Hold(boolean readable, String text) {
        this.readable = readable;
        this.text = text;
    }

    /** Whether the program may read meanwhile. */
    boolean isReadable() {
        return readable;
    }

    /** Whether a peer owns the range, not a work request. */
    boolean isGrant() {
        return this == PEER_READS || this == PEER_WRITES || this == PEER_WRITES_POLLED;
    }

    /** Whether the owner may access so. */
    boolean allows(boolean write) {
        return switch (this) {
            case DEVICE_READS, PEER_READS -> !write;
            case DEVICE_WRITES -> write;
            case PEER_WRITES, PEER_WRITES_POLLED -> true;
            case FREE -> false;
        };
    }

    @Override
    public String toString() {
        return text;
    }
}

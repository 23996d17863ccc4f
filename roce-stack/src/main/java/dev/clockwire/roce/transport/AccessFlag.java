package dev.clockwire.roce.transport;

import java.util.Set;

/** What may be done with a memory region or through a queue pair ({@code ibv_access_flags}). */
public enum AccessFlag {
    /** The device may write here on behalf of this host. */
    LOCAL_WRITE(1),
    /** A peer may write here. */
    REMOTE_WRITE(2),
    /** A peer may read here. */
    REMOTE_READ(4),
    /** A peer may do atomics here. */
    REMOTE_ATOMIC(8),
    /** Memory windows may be bound to the region. */
    MW_BIND(16),
    /** Remote addresses count from 0 at the start of the region. */
    ZERO_BASED(32),
    /** Pages are faulted in on demand. */
    ON_DEMAND(64),
    /** The memory is in huge pages. */
    HUGETLB(128),
    /** Writes may pass each other on the way into memory. */
    RELAXED_ORDERING(1 << 20);

    private final int code;

    AccessFlag(int code) {
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

    /** Returns the C mask of a set of flags. */
    public static int mask(Set<AccessFlag> flags) {
        int mask = 0;
        for (AccessFlag flag : flags) {
            mask |= flag.code;
        }
        return mask;
    }
}

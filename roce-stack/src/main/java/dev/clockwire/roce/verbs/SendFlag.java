package dev.clockwire.roce.verbs;

import java.util.Set;

/** How a send work request is done ({@code ibv_send_flags}). */
public enum SendFlag {
    /** Wait for all earlier READs and atomics of the queue pair; RC only. */
    FENCE(1),
    /** Make a completion on success too. */
    SIGNALED(2),
    /** Ask for an event at the receiver; SEND and WRITE with immediate. */
    SOLICITED(4),
    /** Copy the data while posting; SEND and WRITE. */
    INLINE(8);

    private final int code;

    SendFlag(int code) {
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
    public static int mask(Set<SendFlag> flags) {
        int mask = 0;
        for (SendFlag flag : flags) {
            mask |= flag.code;
        }
        return mask;
    }
}

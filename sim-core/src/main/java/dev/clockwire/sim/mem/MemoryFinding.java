package dev.clockwire.sim.mem;

import java.util.List;

/**
 * An access to memory that belonged to somebody else.
 *
 * @param ps when memory was accessed
 * @param module path of what accessed it: a core, a device
 * @param access what it did
 * @param toucher who it was, in words
 * @param address first byte that was not its own
 * @param length bytes in a row
 * @param place allocation and offset
 * @param owner whose they were, in words
 * @param ownedSincePs since when, in ps
 * @param history owners of the first byte, oldest first, each with its time and how it ended
 */
public record MemoryFinding(
        long ps,
        String module,
        Access access,
        String toucher,
        long address,
        long length,
        String place,
        String owner,
        long ownedSincePs,
        List<String> history) {
    /** What was done. */
    public enum Access {
        /** Bytes were read. */
        READ("reads"),
        /** Bytes were written. */
        WRITE("writes"),
        /** It was given to another owner, by a post or a grant. */
        POST("posts or grants"),
        /** The memory was given back. */
        FREE("frees");

        private final String verb;

        Access(String verb) {
            this.verb = verb;
        }
    }

    /** Copies the history. */
    public MemoryFinding {
        history = List.copyOf(history);
    }

    static String ns(long ps) {
        return ps / 1000 + "." + Long.toString(1000 + ps % 1000).substring(1) + " ns";
    }

    boolean continuedBy(MemoryFinding next) {
        return next.address == address + length && isLike(next);
    }

    boolean repeatedBy(MemoryFinding next) {
        return next.address == address && next.length == length && isLike(next);
    }

    private boolean isLike(MemoryFinding next) {
        return next.access == access
                && next.ownedSincePs == ownedSincePs
                && next.toucher.equals(toucher)
                && next.owner.equals(owner);
    }

    MemoryFinding with(long more) {
        return new MemoryFinding(
                ps, module, access, toucher, address, length + more, place, owner, ownedSincePs, history);
    }

    /** Says it without time and module, in one line. */
    String text() {
        return toucher + " " + access.verb + " " + length + " bytes at 0x" + Long.toHexString(address) + " (" + place
                + "), which belong to " + owner + " since " + ns(ownedSincePs) + "; history: "
                + String.join(" | ", history);
    }

    @Override
    public String toString() {
        return "[" + ns(ps) + "] " + module + ": " + text();
    }
}

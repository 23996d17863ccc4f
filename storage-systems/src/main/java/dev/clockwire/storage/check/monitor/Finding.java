package dev.clockwire.storage.check.monitor;

/**
 * An invariant that did not hold.
 *
 * @param invariant which
 * @param ps simulated time in picoseconds
 * @param who what broke it: nodes, chain, key
 * @param words what was found
 */
public record Finding(Invariant invariant, long ps, String who, String words) {
    /** Returns the finding in one line. */
    public String text() {
        return invariant.id() + " at " + ps + " ps, " + who + ": " + words + " (" + invariant.words() + ")";
    }
}

package dev.clockwire.storage.threefs.rpc;

/**
 * The places in a chain that somebody writes to, the head's being 0. Slots are granted for one place each: a write holds that of its place while it waits for one of the
 * next, and the last place waits for none, so waits cannot form a circle however chains lie over nodes (structured buffer pools: Raubold and Haenle 1976, Merlin and
 * Schweitzer 1980).
 *
 * @param first lowest
 * @param last highest; lower than {@code first} if there are none
 */
public record Places(int first, int last) {
    /** Those of a client: it writes to heads. */
    public static final Places CLIENT = new Places(0, 0);

    /** Returns those of a storage node: it writes to whoever stands behind it. */
    public static Places ofNode(int replicas) {
        return new Places(1, replicas - 1);
    }

    /** Returns how many there are. */
    public int count() {
        return last - first + 1;
    }

    /** Returns whether a place is one of them. */
    public boolean contains(int place) {
        return place >= first && place <= last;
    }

    /** Returns the one of them that is next to a place. */
    int nearest(int place) {
        return Math.max(first, Math.min(place, last));
    }
}

package dev.clockwire.sim.mem;

/** How the ownership of a range ended. */
public enum Release {
    /** The program polled a completion at or behind the work request. */
    COMPLETED("completed", false),
    /** The program polled a completion in error at or behind the work request. */
    FAILED("completed in error", false),
    /** The queue was emptied: RESET, or the object was destroyed. */
    RESET("queue emptied", false),
    /** The peer said that it is done. */
    RETURNED("returned by the peer", false),
    /** It was taken out of its pool. */
    TAKEN("taken from the pool", false),
    /** The program took it back, whatever the peer may still do: right only behind a fence. */
    REVOKED("revoked by the program", false),
    /** The connection is in ERR, all its work requests have been flushed, and their completions polled. */
    DRAINED("fenced: queue pair in ERR and drained", true),
    /** The key by which the peer knew it was taken away. */
    KEY_REMOVED("fenced: key removed", true);

    private final String text;
    private final boolean fence;

    Release(String text, boolean fence) {
        this.text = text;
        this.fence = fence;
    }

    /** Whether the peer cannot get there any more by the way it had. */
    boolean isFence() {
        return fence;
    }

    @Override
    public String toString() {
        return text;
    }
}

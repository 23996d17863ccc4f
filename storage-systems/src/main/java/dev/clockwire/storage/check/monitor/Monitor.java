package dev.clockwire.storage.check.monitor;

/**
 * Watches for what some invariants forbid. It keeps nothing itself: what it needs to know of the past is in {@link Replicas}, which shows the
 * store as it was before the event that it is told.
 */
public abstract class Monitor implements ProtocolEvents {
    /** The store before the event. */
    protected final Replicas replicas;

    private final Findings findings;

    /** Creates a monitor; add it to the {@link Monitors} of which these are. */
    protected Monitor(Replicas replicas, Findings findings) {
        this.replicas = replicas;
        this.findings = findings;
    }

    /** Reports what one copy or one node does to a chunk. */
    protected final void report(Invariant invariant, long ps, int node, int chunk, String words) {
        findings.report(invariant, ps, "node " + node + ", " + name(chunk), words);
    }

    /** Reports what is about a chain, or about several copies. */
    protected final void report(Invariant invariant, long ps, String who, String words) {
        findings.report(invariant, ps, who, words);
    }

    /** Returns a digest in words. */
    protected static String hex(long digest) {
        return "0x" + Long.toHexString(digest);
    }

    /** Returns the name of a chunk: {@code chunk 7 of chain 0}. */
    protected final String name(int chunk) {
        return "chunk " + replicas.keyOf(chunk) + " of chain " + replicas.chainOf(chunk);
    }
}

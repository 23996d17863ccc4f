package dev.clockwire.roce.verbs;

/** One receive work request of a {@link ReceiveBatch}; providers keep nothing of it. */
public final class ReceiveEntry {
    /** A number for the completion. */
    public long wrId;

    private final SgeList sges;

    ReceiveEntry(int maxSge) {
        sges = new SgeList(maxSge);
    }

    /** Makes this a receive of nothing again. */
    public void reset() {
        wrId = 0;
        sges.clear();
    }

    /** Returns the local memory. */
    public SgeList sges() {
        return sges;
    }

    /** Takes over a work request. */
    public void set(ReceiveWorkRequest wr) {
        wrId = wr.wrId();
        sges.set(wr.sges());
    }
}

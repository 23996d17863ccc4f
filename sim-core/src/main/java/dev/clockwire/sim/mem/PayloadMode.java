package dev.clockwire.sim.mem;

/** What bulk memory holds. Real memory holds bytes in both modes; no cycle depends on the mode. */
public enum PayloadMode {
    /** Bulk memory holds bytes. */
    BYTES,
    /** Bulk memory holds extents (who wrote, which write, where inside it), which cost nothing per byte. */
    SIZES
}

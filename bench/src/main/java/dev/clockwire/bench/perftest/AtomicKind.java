package dev.clockwire.bench.perftest;

/** Which atomic the atomic tools run. */
public enum AtomicKind {
    /** Fetch and add. */
    FETCH_AND_ADD,
    /** Compare and swap. */
    CMP_AND_SWAP
}

package dev.clockwire.bench.perftest;

/** The operations that perftest measures. */
public enum Verb {
    /** RDMA WRITE. */
    WRITE,
    /** RDMA READ. */
    READ,
    /** SEND into a posted receive. */
    SEND,
    /** Fetch-and-add or compare-and-swap of 8 bytes. */
    ATOMIC;

    /** Returns whether the peer's memory answers: such an operation is measured over its full round trip. */
    public boolean isRoundTrip() {
        return this == READ || this == ATOMIC;
    }
}

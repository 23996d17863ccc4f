package dev.clockwire.bench.fabric;

/** What the hosts of a fabric are. */
public enum EndpointKind {
    /** Traffic only: no verbs, no PCIe. */
    LIGHT,
    /** The functional software device. */
    SOFT,
    /** Whole NICs, in cycles. */
    HW
}

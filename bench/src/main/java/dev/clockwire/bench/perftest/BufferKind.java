package dev.clockwire.bench.perftest;

/** Where the buffers of a run come from. */
public enum BufferKind {
    /** Host memory that was registered once, before. */
    POOLED,
    /** Host memory that the client registers for each message, and releases behind it. */
    EACH,
    /** What is sent lies in the memory of the device. */
    DEVICE
}

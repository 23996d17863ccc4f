package dev.clockwire.nic.context;

/**
 * A completion queue as the device knows it.
 *
 * @param cqn number
 * @param base address of the ring in host memory
 * @param logEntries log2 of the number of 64 B entries
 * @param recordAddress address of the doorbell record, whose first word is the consumer counter, 24 bits
 */
public record CqContext(int cqn, long base, int logEntries, long recordAddress) {
    /** Returns the number of entries. */
    public int entries() {
        return 1 << logEntries;
    }
}

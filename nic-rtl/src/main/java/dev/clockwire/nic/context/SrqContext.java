package dev.clockwire.nic.context;

/**
 * A shared receive queue as the device knows it.
 *
 * @param srqn number
 * @param base address of the ring
 * @param logEntries log2 of the ring's size in WQEs
 * @param stride bytes of one WQE, a power of two
 * @param recordAddress address of the doorbell record, whose first word is the receive counter
 */
public record SrqContext(int srqn, long base, int logEntries, int stride, long recordAddress) {}

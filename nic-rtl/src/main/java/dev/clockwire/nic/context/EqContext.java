package dev.clockwire.nic.context;

/**
 * The event queue as the device knows it.
 *
 * @param base address of the ring in host memory
 * @param logEntries log2 of the number of 64 B entries
 * @param vector interrupt that follows an entry
 */
public record EqContext(long base, int logEntries, int vector) {}

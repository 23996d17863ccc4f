package dev.clockwire.roce.verbs;

/**
 * Memory to be registered.
 *
 * @param address first byte in the memory of the core
 * @param length bytes
 * @param iova address by which work requests and peers call the first byte
 * @param access {@link dev.clockwire.roce.transport.AccessFlag} mask
 */
public record MrRange(long address, long length, long iova, int access) {}

package dev.clockwire.storage.threefs.net;

/**
 * Bytes here and their place at the other side.
 *
 * @param va here
 * @param length bytes
 * @param lkey of the memory here
 * @param remote address at the other side
 * @param rkey of the memory there
 */
public record RdmaRange(long va, long length, int lkey, long remote, int rkey) {}

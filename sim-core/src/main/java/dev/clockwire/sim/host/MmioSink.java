package dev.clockwire.sim.host;

/** Takes what a core stores to device memory. */
@FunctionalInterface
public interface MmioSink {
    /**
     * Called once for each store.
     *
     * @param ps when the store leaves the core
     * @param address bus address of the first byte
     * @param data holds the bytes at {@code off}, valid during the call
     */
    void written(long ps, long address, byte[] data, int off, int len);
}

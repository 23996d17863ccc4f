package dev.clockwire.storage.nvmf.target;

/**
 * What was asked of the data buffers.
 *
 * @param small small buffers that were taken
 * @param smallRefused how often there was none
 * @param large large buffers that were taken
 * @param largeRefused how often there was none
 */
public record BufferStats(long small, long smallRefused, long large, long largeRefused) {
    /** Nothing. */
    public static final BufferStats NONE = new BufferStats(0, 0, 0, 0);
}

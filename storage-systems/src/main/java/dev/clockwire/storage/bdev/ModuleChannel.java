package dev.clockwire.storage.bdev;

/** What a module keeps for a channel. */
public interface ModuleChannel {
    /** Ends with its channel, on its thread. */
    void close();
}

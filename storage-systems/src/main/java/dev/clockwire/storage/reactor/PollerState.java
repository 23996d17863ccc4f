package dev.clockwire.storage.reactor;

/** What a poller is doing. */
public enum PollerState {
    /** It is not registered. */
    UNREGISTERED,
    /** It waits for its turn or its time. */
    WAITING,
    /** Its function runs. */
    RUNNING,
    /** Its function runs, and has unregistered it. */
    ENDING,
    /** Its function runs, and has paused it. */
    PAUSING,
    /** It is registered and not called. */
    PAUSED
}

package dev.clockwire.storage.check.monitor;

/** What a node may do in a version of a chain, with the words of 3FS; systems with other words name the nearest. */
public enum TargetState {
    /** Reads and writes. */
    SERVING,
    /** Is fetching up: writes only. */
    SYNCING,
    /** Is back, and waits until it may fetch up. */
    WAITING,
    /** Is away, and was the last to serve: nobody else has all data. */
    LASTSRV,
    /** Is away. */
    OFFLINE
}

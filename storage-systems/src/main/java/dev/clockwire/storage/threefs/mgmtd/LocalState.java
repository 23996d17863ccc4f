package dev.clockwire.storage.threefs.mgmtd;

/** What a node says of its own target. */
public enum LocalState {
    /** It holds everything that is committed. */
    UP_TO_DATE,
    /** It can be written. */
    ONLINE,
    /** It cannot be used, or nobody hears of it. */
    OFFLINE
}

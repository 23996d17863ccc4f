package dev.clockwire.storage.threefs.mgmtd;

/** What everybody knows of a target. */
public enum TargetState {
    /** It is read and written. */
    SERVING,
    /** It is written, and brought up to date. */
    SYNCING,
    /** It waits until another one is up to date. */
    WAITING,
    /** It was the last one that served: only it can begin again. */
    LASTSRV,
    /** It is not used. */
    OFFLINE
}

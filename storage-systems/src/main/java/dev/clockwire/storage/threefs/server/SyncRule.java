package dev.clockwire.storage.threefs.server;

/** What a predecessor does about a chunk that its successor has from a later version of the chain than it has the committed one itself. */
public enum SyncRule {
    /** It is replaced, as any that differs: what a lost node holds may be of a line that nobody has followed. */
    REPLACE,
    /** 3FS's: it is not meant to be there, so the successor is told to take the target offline. It comes back empty. */
    OFFLINE
}

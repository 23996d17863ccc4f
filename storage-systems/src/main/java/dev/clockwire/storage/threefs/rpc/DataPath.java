package dev.clockwire.storage.threefs.rpc;

/** How the bytes of a write come to the next replica. */
public enum DataPath {
    /** 3FS's: a request tells where they are, the receiver reads them. */
    PULL,
    /** The article's, made correct: they are written into a granted slot, the request follows on the same connection. */
    PUSH,
    /** They ride in the request. */
    INLINE
}

package dev.clockwire.storage.bdev;

/** What an I/O does. */
public enum IoType {
    /** Blocks into memory. */
    READ,
    /** Memory into blocks. */
    WRITE,
    /** What was written becomes durable. */
    FLUSH,
    /** Blocks are given up; they read as zeros here. */
    UNMAP,
    /** Blocks become zeros. */
    WRITE_ZEROES,
    /** Blocks against memory. */
    COMPARE
}

package dev.clockwire.nic.doorbell;

/** What the registers say about doorbells, and where errors of doorbells are noted. */
public interface UarControl {
    /** Error: a size, place or value that no doorbell has. */
    int BAD_FORMAT = 0;
    /** Error: the queue pair in the data is another one than that of the place. */
    int MISMATCH = 1;
    /** Error: no queue pair has this place or number, or it has not got as far as to send. */
    int OUT_OF_RANGE = 2;
    /** Error: pieces of a BlueFlame WQE out of order, missing, or more than the buffer holds. */
    int OVERRUN = 3;

    /** Returns the layout in force. */
    UarLayout layout();

    /** Whether dword 1 of a doorbell is the producer index. */
    boolean carriesIndex();

    /** Whether doorbells and token buckets are as the articles read. */
    boolean articleLiteral();

    /** Notes an error. */
    void error(int kind);
}

package dev.clockwire.storage.threefs.net;

/**
 * How who is connected to learns that who connects is ready to receive. 3FS exchanges queue pairs over TCP, where nobody says so: its acceptor waits for a first message over the queue pair, at most some
 * time.
 */
public enum Probe {
    /** By the connection manager's own message (RTU). */
    NONE,
    /** By a SEND of no bytes, as 3FS did at first; some virtual devices lose it (issue 320). */
    EMPTY_SEND,
    /** By a SEND with immediate data that acknowledges no buffer, as 3FS does now. */
    IMMEDIATE
}

package dev.clockwire.nic.lab;

/** A request on its way, until it is acknowledged or answered. */
final class WireMessage {
    /** Number of its last packet; of a READ, of its only one. */
    int psn;

    int depth;
    int kind;
    boolean immediate;
    MessageName name = MessageName.NONE;
    long bytes;
    long leftPs;
    /** When the first frame of its answer left. */
    long answerPs;
    /** Whether all of it has left. */
    boolean whole;

    WireMessage() {}
}

package dev.clockwire.roce.fabric.host;

/** A flow while it runs, whatever the hosts are. */
public interface Flow {
    /** Returns what is to be sent. */
    FlowSpec spec();

    /** Returns when it begins, in ps. */
    long beginsPs();

    /** Whether all of it is acknowledged. */
    boolean done();

    /** Whether its sender has given up. */
    boolean failed();

    /** Returns the time from its start to its last acknowledgement in ps; it is done. */
    long completionPs();

    /** Returns the bytes of payload that are acknowledged. */
    long acknowledgedBytes();

    /** Returns the packets sent more than once. */
    long retransmissions();

    /** Returns the rate in bit/s at which it may send at a time, or sends where nobody knows what it may. */
    long rate(long now);
}

package dev.clockwire.roce.transport;

/**
 * A parsed send work request as the requester needs it: no scatter/gather, no time. Mutable and reused by whoever parses; the
 * requester copies what it keeps.
 */
public final class SendWork {
    /** Whatever finds the work request again, for instance its WQE counter. */
    public long id;
    /** The operation. */
    public WrOpcode opcode = WrOpcode.SEND;
    /** Bytes of the message, or to read: 0 to 2^31. 8 for atomics. */
    public long length;
    /** A success makes a completion too. */
    public boolean signaled;
    /** The last packet asks for an event at the receiver. */
    public boolean solicited;
    /** Wait for all earlier READs and atomics. */
    public boolean fence;
    /** Remote address; not for SEND. */
    public long remoteVa;
    /** Remote key; not for SEND. */
    public int rkey;
    /** Immediate data in wire order, or the key to invalidate. */
    public int immOrKey;
    /** Value to swap in or to add. */
    public long swapAdd;
    /** Value to compare with. */
    public long compare;
    /** UD: queue pair number of the receiver. */
    public int destQpn;
    /** UD: queue key of the receiver; with bit 31, the sender's own is sent. */
    public int qkey;

    /** Creates an unsignalled empty SEND. */
    public SendWork() {}

    /** Makes this an unsignalled empty SEND again. */
    public void reset() {
        id = 0;
        opcode = WrOpcode.SEND;
        length = 0;
        signaled = false;
        solicited = false;
        fence = false;
        remoteVa = 0;
        rkey = 0;
        immOrKey = 0;
        swapAdd = 0;
        compare = 0;
        destQpn = 0;
        qkey = 0;
    }
}

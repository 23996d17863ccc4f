package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.WcStatus;

/**
 * The end of a work request ({@code ibv_wc}). Mutable and reused by whoever polls. After an error only {@link #wrId}, {@link
 * #status}, {@link #qpNum} and {@link #vendorError} mean something.
 */
public final class WorkCompletion {
    /** The number that the poster gave to the work request. */
    public long wrId;
    /** How it ended. */
    public WcStatus status = WcStatus.SUCCESS;
    /** What it was. */
    public WcOpcode opcode = WcOpcode.SEND;
    /** Device-specific cause of an error. */
    public int vendorError;
    /** Bytes received, read or written by the peer; not of SEND and WRITE. */
    public long byteLength;
    /** Immediate data in wire order, or the invalidated key; see {@link #flags}. */
    public int immOrKey;
    /** Number of the local queue pair. */
    public int qpNum;
    /** UD: queue pair number of the sender. */
    public int srcQp;
    /** {@link WcFlag} mask. */
    public int flags;
    /** When the device wrote the completion, in ps; 0 if it does not say. */
    public long timestampPs;

    /** Creates an empty success. */
    public WorkCompletion() {}

    /** Makes this an empty success again. */
    public void reset() {
        wrId = 0;
        status = WcStatus.SUCCESS;
        opcode = WcOpcode.SEND;
        vendorError = 0;
        byteLength = 0;
        immOrKey = 0;
        qpNum = 0;
        srcQp = 0;
        flags = 0;
        timestampPs = 0;
    }

    /** Takes over everything of another completion. */
    public void set(WorkCompletion from) {
        wrId = from.wrId;
        status = from.status;
        opcode = from.opcode;
        vendorError = from.vendorError;
        byteLength = from.byteLength;
        immOrKey = from.immOrKey;
        qpNum = from.qpNum;
        srcQp = from.srcQp;
        flags = from.flags;
        timestampPs = from.timestampPs;
    }

    /** Returns an array of new completions to poll into. */
    public static WorkCompletion[] array(int length) {
        WorkCompletion[] array = new WorkCompletion[length];
        for (int i = 0; i < length; i++) {
            array[i] = new WorkCompletion();
        }
        return array;
    }

    @Override
    public String toString() {
        return opcode + " wr_id=" + Long.toUnsignedString(wrId) + " qp=0x" + Integer.toHexString(qpNum) + " "
                + status.text();
    }
}

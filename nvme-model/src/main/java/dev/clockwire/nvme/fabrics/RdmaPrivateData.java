package dev.clockwire.nvme.fabrics;

import dev.clockwire.nvme.format.LittleEndian;
import java.util.Optional;

/** What the two sides of an RDMA connection say of a queue in the private data of the connection manager. Little endian, unlike what is around it. */
public final class RdmaPrivateData {
    /** Bytes of a request and of a reply. */
    public static final int BYTES = 32;
    /** Bytes of a rejection. */
    public static final int REJECT_BYTES = 4;
    /** Rejected: the private data have a wrong length. */
    public static final int BAD_LENGTH = 1;
    /** Rejected: an unknown format. */
    public static final int BAD_FORMAT = 2;
    /** Rejected: a wrong queue. */
    public static final int BAD_QUEUE = 3;
    /** Rejected: a wrong size of the host's send queue. */
    public static final int BAD_SEND_SIZE = 4;
    /** Rejected: a wrong size of the host's receive queue. */
    public static final int BAD_RECEIVE_SIZE = 5;
    /** Rejected: no resources. */
    public static final int NO_RESOURCES = 6;
    /** Rejected: the host answers no READs. */
    public static final int BAD_READS = 7;

    private RdmaPrivateData() {}

    /**
     * What a host asks for.
     *
     * @param queue 0 for the admin queue
     * @param receives receive queue entries, as told
     * @param sends commands under way at most; told one less
     * @param controller the controller that the queue belongs to, 0 where the version does not tell
     */
    public record Request(int queue, int receives, int sends, int controller) {
        /** Returns the bytes. */
        public byte[] bytes() {
            byte[] b = new byte[BYTES];
            LittleEndian.put16(b, 2, queue);
            LittleEndian.put16(b, 4, receives);
            LittleEndian.put16(b, 6, sends - 1);
            LittleEndian.put16(b, 8, controller);
            return b;
        }
    }

    /** Returns why a request cannot be read, one of this class's reasons; 0 if it can. */
    public static int refusal(byte[] b, int at, int length) {
        if (length < BYTES) {
            return BAD_LENGTH;
        }
        return LittleEndian.get16(b, at) == 0 ? 0 : BAD_FORMAT;
    }

    /** Reads a request that {@link #refusal} does not refuse. */
    public static Request request(byte[] b, int at) {
        return new Request(
                LittleEndian.get16(b, at + 2),
                LittleEndian.get16(b, at + 4),
                LittleEndian.get16(b, at + 6) + 1,
                LittleEndian.get16(b, at + 8));
    }

    /** Returns the bytes of a reply: how many commands the target takes. */
    public static byte[] reply(int commands) {
        byte[] b = new byte[BYTES];
        LittleEndian.put16(b, 2, commands);
        return b;
    }

    /** Returns how many commands a target takes; empty if the bytes are no reply. */
    public static Optional<Integer> replied(byte[] b, int at, int length) {
        return length < REJECT_BYTES || LittleEndian.get16(b, at) != 0
                ? Optional.empty()
                : Optional.of(LittleEndian.get16(b, at + 2));
    }

    /** Returns the bytes of a rejection. */
    public static byte[] reject(int reason) {
        byte[] b = new byte[REJECT_BYTES];
        LittleEndian.put16(b, 2, reason);
        return b;
    }
}

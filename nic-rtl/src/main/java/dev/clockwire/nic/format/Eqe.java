package dev.clockwire.nic.format;

import java.util.Arrays;

/** The 64 B event queue entry; ownership as of a {@link Cqe}, but entries begin as if the device had written them a lap ago. */
public final class Eqe {
    /** Size in bytes. */
    public static final int BYTES = 64;

    /** A completion queue that was armed. */
    public static final int COMP = 0x00;
    /** First good packet of a queue pair. */
    public static final int COMM_EST = 0x02;
    /** A send queue has drained. */
    public static final int SQ_DRAINED = 0x03;
    /** A completion queue overflowed. */
    public static final int CQ_ERROR = 0x04;
    /** A queue pair failed. */
    public static final int WQ_CATAS = 0x05;
    /** The device failed. */
    public static final int INTERNAL_ERROR = 0x08;
    /** The link of a port went down or came up; which, is in the place of a queue's number. */
    public static final int PORT_CHANGE = 0x09;
    /** A command has ended. */
    public static final int CMD = 0x0A;
    /** A queue pair refused a request as invalid. */
    public static final int WQ_INVAL_REQ = 0x10;
    /** A queue pair refused an access. */
    public static final int WQ_ACCESS = 0x11;
    /** Receives of a shared queue cannot be read. */
    public static final int SRQ_CATAS = 0x12;
    /** A queue pair holds no receive of its shared queue any more. */
    public static final int SRQ_LAST_WQE = 0x13;
    /** A shared receive queue has fewer receives than its limit. */
    public static final int SRQ_LIMIT = 0x14;

    /** What the number of a {@link #PORT_CHANGE} says of port 1. */
    public static final class Port {
        /** The link went down. */
        public static final int DOWN = 1;
        /** The link came up. */
        public static final int ACTIVE = 4;

        private Port() {}
    }

    private static final int NUMBER = 56;
    private static final int OWNER = 63;

    private Eqe() {}

    /**
     * Writes an entry.
     *
     * @param out 64 B, overwritten
     * @param type one of this class's types
     * @param number of the queue concerned
     * @param owner owner bit of this lap
     */
    public static void write(byte[] out, int type, int number, boolean owner) {
        Arrays.fill(out, 0, BYTES, (byte) 0);
        out[1] = (byte) type;
        Bytes.putInt(out, NUMBER, number);
        out[OWNER] = (byte) (owner ? 1 : 0);
    }

    /** Returns the type of an entry. */
    public static int type(byte[] eqe) {
        return eqe[1] & 0xFF;
    }

    /** Returns the number of the queue concerned. */
    public static int number(byte[] eqe) {
        return Bytes.getInt(eqe, NUMBER) & 0xFFFFFF;
    }

    /** Returns the owner bit from the last byte of an entry. */
    public static boolean owner(int lastByte) {
        return (lastByte & 1) != 0;
    }
}

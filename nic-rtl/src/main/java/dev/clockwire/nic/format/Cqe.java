package dev.clockwire.nic.format;

/**
 * The 64 B completion queue entry. Ownership: entry of consumer index i is software's when its opcode is not
 * {@link #INVALID} and its owner bit equals bit log2(entries) of i.
 */
public final class Cqe {
    /** Size in bytes. */
    public static final int BYTES = 64;
    /** Requester completion. */
    public static final int REQ = 0;
    /** Responder completion of a WRITE with immediate. */
    public static final int RESP_WR_IMM = 1;
    /** Responder completion of a SEND. */
    public static final int RESP_SEND = 2;
    /** Responder completion of a SEND with immediate. */
    public static final int RESP_SEND_IMM = 3;
    /** Responder completion of a SEND with invalidate. */
    public static final int RESP_SEND_INV = 4;
    /** Requester error. */
    public static final int REQ_ERR = 13;
    /** Responder error. */
    public static final int RESP_ERR = 14;
    /** Never written. */
    public static final int INVALID = 15;

    /** Where opcode and queue pair number stand. */
    private static final int QPN_AT = 56;

    private static final int HASH = 12;
    private static final int SUM = 20;
    private static final int CHECKS = 28;
    private static final int SYNDROME = 55;
    private static final int OWNER = 63;

    private Cqe() {}

    /**
     * Writes an entry.
     *
     * @param out 64 B, overwritten
     * @param opcode one of this class's opcodes
     * @param sendOpcode WQE opcode for requester entries
     * @param qpn local queue pair
     * @param srcQp source queue pair of a datagram
     * @param wqeCounter WQE this entry frees
     * @param syndrome error code of this device, 0 for success
     * @param solicited the packet asked for an event
     * @param owner owner bit of this lap
     */
    @SuppressWarnings("checkstyle:ParameterNumber") // the fields of the entry, in their order
    public static void write(
            byte[] out,
            int opcode,
            int sendOpcode,
            int qpn,
            int srcQp,
            int wqeCounter,
            int byteCount,
            int imm,
            int syndrome,
            boolean solicited,
            boolean owner) {
        java.util.Arrays.fill(out, 0, BYTES, (byte) 0);
        Bytes.putInt(out, 24, srcQp);
        Bytes.putInt(out, 36, imm);
        Bytes.putInt(out, 44, byteCount);
        out[SYNDROME] = (byte) syndrome;
        Bytes.putInt(out, QPN_AT, sendOpcode << 24 | qpn);
        Bytes.putShort(out, 60, wqeCounter);
        out[OWNER] = (byte) (opcode << 4 | (solicited ? 2 : 0) | (owner ? 1 : 0));
    }

    /** Puts the hash of a received Ethernet frame's flow into an entry. */
    public static void putHash(byte[] cqe, int hash) {
        Bytes.putInt(cqe, HASH, hash);
    }

    /** Returns the hash of a received Ethernet frame's flow. */
    public static int hash(byte[] cqe) {
        return Bytes.getInt(cqe, HASH);
    }

    /**
     * Puts what a device found out about checksums into the entry of an Ethernet frame.
     *
     * @param right bit 1: of the IPv4 header, bit 2: of TCP or UDP
     * @param sum one's complement sum of what is behind the Ethernet header, 16 bits
     */
    public static void putChecksums(byte[] cqe, int right, int sum) {
        Bytes.putShort(cqe, SUM, sum);
        cqe[CHECKS] = (byte) right;
    }

    /** Returns the checksums that are right: bit 1: of the IPv4 header, bit 2: of TCP or UDP. */
    public static int checksums(byte[] cqe) {
        return cqe[CHECKS] & 0xFF;
    }

    /** Returns the one's complement sum of what is behind the Ethernet header, 16 bits. */
    public static int sum(byte[] cqe) {
        return Bytes.getShort(cqe, SUM);
    }

    /** Returns the opcode of an entry. */
    public static int opcode(byte[] cqe) {
        return cqe[OWNER] >>> 4 & 15;
    }

    /** Returns the owner bit of an entry. */
    public static boolean owner(byte[] cqe) {
        return (cqe[OWNER] & 1) != 0;
    }

    /** Returns the opcode from the last byte of an entry alone. */
    public static int opcodeOf(int lastByte) {
        return lastByte >>> 4 & 15;
    }

    /** Returns the local queue pair. */
    public static int qpn(byte[] cqe) {
        return Bytes.getInt(cqe, QPN_AT) & 0xFFFFFF;
    }

    /** Returns the WQE opcode of a requester entry. */
    public static int sendOpcode(byte[] cqe) {
        return cqe[QPN_AT] & 0xFF;
    }

    /** Returns the counter of the WQE that this entry frees. */
    public static int wqeCounter(byte[] cqe) {
        return Bytes.getShort(cqe, 60);
    }

    /** Returns the number of bytes moved. */
    public static int byteCount(byte[] cqe) {
        return Bytes.getInt(cqe, 44);
    }

    /** Returns immediate data or the invalidated key. */
    public static int imm(byte[] cqe) {
        return Bytes.getInt(cqe, 36);
    }

    /** Returns the source queue pair of a datagram. */
    public static int srcQp(byte[] cqe) {
        return Bytes.getInt(cqe, 24) & 0xFFFFFF;
    }

    /** Returns the error code, 0 for success. */
    public static int syndrome(byte[] cqe) {
        return cqe[SYNDROME] & 0xFF;
    }
}

package dev.clockwire.roce.wire;

/** A transport header and its size on the wire. All fields are big-endian. */
public enum Header {
    /** Base transport header: opcode, flags, P_Key, destination QP, PSN. */
    BTH(0, 12),
    /** RDMA extended: virtual address 8, R_Key 4, DMA length 4. */
    RETH(1, 16),
    /** Atomic extended: virtual address 8, R_Key 4, swap or add 8, compare 8. */
    ATOMIC_ETH(2, 28),
    /** Acknowledge extended: syndrome 1, MSN 3. */
    AETH(3, 4),
    /** Atomic acknowledge: the value before the operation. */
    ATOMIC_ACK_ETH(4, 8),
    /** Immediate data: 4 opaque bytes. */
    IMM_DT(5, 4),
    /** Invalidate extended: the R_Key to invalidate. */
    IETH(6, 4),
    /** Datagram extended: Q_Key 4, reserved 1, source QP 3. */
    DETH(7, 8),
    /** Reliable datagram extended: reserved 1, end-to-end context 3. */
    RDETH(8, 4),
    /** XRC extended: reserved 1, shared receive queue number 3. */
    XRC_ETH(9, 4),
    /** Flush extended: bits 3:0 placement type, bits 5:4 selectivity. */
    FETH(10, 4),
    /** The 16 zero bytes behind the BTH of a congestion notification. */
    CNP_RESERVED(11, 16);

    private final int mask;
    private final int bytes;

    Header(int bit, int bytes) {
        this.mask = 1 << bit;
        this.bytes = bytes;
    }

    /** Returns this header's bit in a set of headers. */
    int mask() {
        return mask;
    }

    /** Returns the size in bytes. */
    public int bytes() {
        return bytes;
    }
}

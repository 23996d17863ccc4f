package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.WrOpcode;

/** What a work completion is about ({@code ibv_wc_opcode}). */
public enum WcOpcode {
    /** A SEND of any kind. */
    SEND(0),
    /** A WRITE of any kind. */
    RDMA_WRITE(1),
    /** A READ. */
    RDMA_READ(2),
    /** A compare and swap. */
    COMP_SWAP(3),
    /** A fetch and add. */
    FETCH_ADD(4),
    /** The binding of a memory window. */
    BIND_MW(5),
    /** The invalidation of an own key. */
    LOCAL_INV(6),
    /** A receive that a SEND completed. */
    RECV(128),
    /** A receive that a WRITE with immediate completed. */
    RECV_RDMA_WITH_IMM(129);

    private final int code;

    WcOpcode(int code) {
        this.code = code;
    }

    /** Returns the value of the C enum. */
    public int code() {
        return code;
    }

    /** Tells whether the completion belongs to a receive. */
    public boolean isReceive() {
        return (code & RECV.code) != 0;
    }

    /** Returns the opcode with which a work request of an operation completes. */
    public static WcOpcode of(WrOpcode operation) {
        return switch (operation) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV -> SEND;
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> RDMA_WRITE;
            case RDMA_READ -> RDMA_READ;
            case ATOMIC_CMP_AND_SWP -> COMP_SWAP;
            case ATOMIC_FETCH_AND_ADD -> FETCH_ADD;
            case LOCAL_INV -> LOCAL_INV;
            case BIND_MW -> BIND_MW;
        };
    }
}

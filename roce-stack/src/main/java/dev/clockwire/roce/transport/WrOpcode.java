package dev.clockwire.roce.transport;

import static dev.clockwire.roce.wire.Opcode.RC_COMPARE_SWAP;
import static dev.clockwire.roce.wire.Opcode.RC_FETCH_ADD;
import static dev.clockwire.roce.wire.Opcode.RC_RDMA_READ_REQUEST;
import static dev.clockwire.roce.wire.Opcode.RC_RDMA_WRITE_FIRST;
import static dev.clockwire.roce.wire.Opcode.RC_RDMA_WRITE_LAST;
import static dev.clockwire.roce.wire.Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE;
import static dev.clockwire.roce.wire.Opcode.RC_RDMA_WRITE_MIDDLE;
import static dev.clockwire.roce.wire.Opcode.RC_RDMA_WRITE_ONLY;
import static dev.clockwire.roce.wire.Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE;
import static dev.clockwire.roce.wire.Opcode.RC_SEND_FIRST;
import static dev.clockwire.roce.wire.Opcode.RC_SEND_LAST;
import static dev.clockwire.roce.wire.Opcode.RC_SEND_LAST_WITH_IMMEDIATE;
import static dev.clockwire.roce.wire.Opcode.RC_SEND_LAST_WITH_INVALIDATE;
import static dev.clockwire.roce.wire.Opcode.RC_SEND_MIDDLE;
import static dev.clockwire.roce.wire.Opcode.RC_SEND_ONLY;
import static dev.clockwire.roce.wire.Opcode.RC_SEND_ONLY_WITH_IMMEDIATE;
import static dev.clockwire.roce.wire.Opcode.RC_SEND_ONLY_WITH_INVALIDATE;

import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.sim.error.InvariantViolation;
import org.jspecify.annotations.Nullable;

/** What a send work request asks for ({@code ibv_wr_opcode}), and the packets that carry it. */
public enum WrOpcode {
    /** Write to the peer's memory. */
    RDMA_WRITE(0, RC_RDMA_WRITE_ONLY, RC_RDMA_WRITE_FIRST, RC_RDMA_WRITE_MIDDLE, RC_RDMA_WRITE_LAST),
    /** Write, then complete a receive of the peer with 32 bits. */
    RDMA_WRITE_WITH_IMM(
            1,
            RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE,
            RC_RDMA_WRITE_FIRST,
            RC_RDMA_WRITE_MIDDLE,
            RC_RDMA_WRITE_LAST_WITH_IMMEDIATE),
    /** Send into a receive of the peer. */
    SEND(2, RC_SEND_ONLY, RC_SEND_FIRST, RC_SEND_MIDDLE, RC_SEND_LAST),
    /** Send with 32 bits for the completion. */
    SEND_WITH_IMM(3, RC_SEND_ONLY_WITH_IMMEDIATE, RC_SEND_FIRST, RC_SEND_MIDDLE, RC_SEND_LAST_WITH_IMMEDIATE),
    /** Read the peer's memory. */
    RDMA_READ(4, RC_RDMA_READ_REQUEST, RC_RDMA_READ_REQUEST, RC_RDMA_READ_REQUEST, RC_RDMA_READ_REQUEST),
    /** Compare 64 bits of the peer's memory and swap them if equal. */
    ATOMIC_CMP_AND_SWP(5, RC_COMPARE_SWAP, RC_COMPARE_SWAP, RC_COMPARE_SWAP, RC_COMPARE_SWAP),
    /** Add to 64 bits of the peer's memory. */
    ATOMIC_FETCH_AND_ADD(6, RC_FETCH_ADD, RC_FETCH_ADD, RC_FETCH_ADD, RC_FETCH_ADD),
    /** Invalidate an own key: a local operation, which sends nothing. */
    LOCAL_INV(7),
    /** Bind a memory window: a local operation, which sends nothing. */
    BIND_MW(8),
    /** Send, then invalidate a key of the peer. */
    SEND_WITH_INV(9, RC_SEND_ONLY_WITH_INVALIDATE, RC_SEND_FIRST, RC_SEND_MIDDLE, RC_SEND_LAST_WITH_INVALIDATE);

    private static final int ONLY = 0;
    private static final int FIRST = 1;
    private static final int MIDDLE = 2;
    private static final int LAST = 3;

    private static final @Nullable WrOpcode[] BY_CODE = new WrOpcode[16];

    static {
        for (WrOpcode operation : values()) {
            BY_CODE[operation.code] = operation;
        }
    }

    private final int code;

    @SuppressWarnings("ImmutableEnumChecker") // filled here, never written again
    private final @Nullable Opcode[][] packets = new Opcode[8][4];

    WrOpcode(int code, Opcode... reliable) {
        this.code = code;
        for (QpType type : QpType.values()) {
            for (int i = 0; i < reliable.length; i++) {
                packets[type.code()][i] = reliable[i].with(type.service());
            }
        }
    }

    /** Returns the value of the C enum. */
    public int code() {
        return code;
    }

    /**
     * Returns the operation of a C value.
     *
     * @throws InvariantViolation if none has it
     */
    public static WrOpcode of(int code) {
        WrOpcode found = code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
        if (found == null) {
            throw new InvariantViolation("no work request opcode " + code);
        }
        return found;
    }

    /** Tells whether a queue pair of this type can do it. */
    public boolean allowedOn(QpType type) {
        return isLocal() ? type != QpType.UD : packets[type.code()][ONLY] != null;
    }

    /**
     * Tells whether this is done by the own device alone. It takes no PSN and never reaches a {@link Requester}: it is done when
     * all earlier work of the queue is complete, and no later work starts before it.
     */
    public boolean isLocal() {
        return this == LOCAL_INV || this == BIND_MW;
    }

    /** Tells whether this is a READ: one request packet that reserves the PSNs of its responses. */
    public boolean isRead() {
        return this == RDMA_READ;
    }

    /** Tells whether this is an atomic. */
    public boolean isAtomic() {
        return this == ATOMIC_CMP_AND_SWP || this == ATOMIC_FETCH_AND_ADD;
    }

    /** Tells whether only a response of its own completes it, never a plain acknowledgement. */
    public boolean needsResponse() {
        return isRead() || isAtomic();
    }

    /** Tells whether the request packets carry payload. */
    public boolean carriesPayload() {
        return !needsResponse() && !isLocal();
    }

    /** Tells whether it takes a receive of the peer. */
    public boolean takesReceive() {
        return carriesPayload() && this != RDMA_WRITE;
    }

    /** Tells whether the last packet may ask for a solicited event. */
    public boolean maySolicit() {
        return takesReceive();
    }

    /**
     * Returns the opcode of a packet of this operation.
     *
     * @throws InvariantViolation if the type has no such packet
     */
    Opcode packet(QpType type, boolean first, boolean last) {
        int place = first ? (last ? ONLY : FIRST) : last ? LAST : MIDDLE;
        Opcode opcode = packets[type.code()][place];
        if (opcode == null) {
            throw new InvariantViolation(type + " has no packet for " + this);
        }
        return opcode;
    }
}

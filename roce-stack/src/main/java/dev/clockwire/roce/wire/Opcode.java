package dev.clockwire.roce.wire;

import static dev.clockwire.roce.wire.Header.AETH;
import static dev.clockwire.roce.wire.Header.ATOMIC_ACK_ETH;
import static dev.clockwire.roce.wire.Header.ATOMIC_ETH;
import static dev.clockwire.roce.wire.Header.BTH;
import static dev.clockwire.roce.wire.Header.CNP_RESERVED;
import static dev.clockwire.roce.wire.Header.DETH;
import static dev.clockwire.roce.wire.Header.FETH;
import static dev.clockwire.roce.wire.Header.IETH;
import static dev.clockwire.roce.wire.Header.IMM_DT;
import static dev.clockwire.roce.wire.Header.RDETH;
import static dev.clockwire.roce.wire.Header.RETH;
import static dev.clockwire.roce.wire.Header.XRC_ETH;
import static dev.clockwire.roce.wire.PayloadRule.ANY;
import static dev.clockwire.roce.wire.PayloadRule.EIGHT;
import static dev.clockwire.roce.wire.PayloadRule.FULL;
import static dev.clockwire.roce.wire.PayloadRule.NONE;
import static dev.clockwire.roce.wire.PayloadRule.NONEMPTY;
import static dev.clockwire.roce.wire.Trait.ENDS;
import static dev.clockwire.roce.wire.Trait.ONLY;
import static dev.clockwire.roce.wire.Trait.PAYLOAD;
import static dev.clockwire.roce.wire.Trait.RECV_CQE;
import static dev.clockwire.roce.wire.Trait.REQUEST;
import static dev.clockwire.roce.wire.Trait.RESPONSE;
import static dev.clockwire.roce.wire.Trait.STARTS;
import static dev.clockwire.roce.wire.Trait.TAKES_RECV;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every BTH opcode, one row each: parser, builder and sequence rules read this table and know no opcode by themselves.
 * RD and XRC rows exist so that foreign captures decode; nothing here sends them.
 *
 * <p>A constant's name is {@code service_operation}. Source: InfiniBand Architecture volume 1, table of BTH opcodes, and
 * annex A17 for the CNP.
 */
public enum Opcode {
    RC_SEND_FIRST(0x00, FULL, PAYLOAD | REQUEST | STARTS | TAKES_RECV, BTH),
    RC_SEND_MIDDLE(0x01, FULL, PAYLOAD | REQUEST, BTH),
    RC_SEND_LAST(0x02, NONEMPTY, PAYLOAD | REQUEST | ENDS | RECV_CQE, BTH),
    RC_SEND_LAST_WITH_IMMEDIATE(0x03, NONEMPTY, PAYLOAD | REQUEST | ENDS | RECV_CQE, BTH, IMM_DT),
    RC_SEND_ONLY(0x04, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH),
    RC_SEND_ONLY_WITH_IMMEDIATE(0x05, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, IMM_DT),
    RC_RDMA_WRITE_FIRST(0x06, FULL, PAYLOAD | REQUEST | STARTS, BTH, RETH),
    RC_RDMA_WRITE_MIDDLE(0x07, FULL, PAYLOAD | REQUEST, BTH),
    RC_RDMA_WRITE_LAST(0x08, NONEMPTY, PAYLOAD | REQUEST | ENDS, BTH),
    RC_RDMA_WRITE_LAST_WITH_IMMEDIATE(0x09, NONEMPTY, PAYLOAD | REQUEST | ENDS | TAKES_RECV | RECV_CQE, BTH, IMM_DT),
    RC_RDMA_WRITE_ONLY(0x0A, ANY, PAYLOAD | REQUEST | ONLY, BTH, RETH),
    RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(0x0B, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, RETH, IMM_DT),
    RC_RDMA_READ_REQUEST(0x0C, NONE, REQUEST | ONLY, BTH, RETH),
    RC_RDMA_READ_RESPONSE_FIRST(0x0D, FULL, PAYLOAD | RESPONSE | STARTS, BTH, AETH),
    RC_RDMA_READ_RESPONSE_MIDDLE(0x0E, FULL, PAYLOAD | RESPONSE, BTH),
    RC_RDMA_READ_RESPONSE_LAST(0x0F, NONEMPTY, PAYLOAD | RESPONSE | ENDS, BTH, AETH),
    RC_RDMA_READ_RESPONSE_ONLY(0x10, ANY, PAYLOAD | RESPONSE | ONLY, BTH, AETH),
    RC_ACKNOWLEDGE(0x11, NONE, RESPONSE | ONLY, BTH, AETH),
    RC_ATOMIC_ACKNOWLEDGE(0x12, NONE, RESPONSE | ONLY, BTH, AETH, ATOMIC_ACK_ETH),
    RC_COMPARE_SWAP(0x13, NONE, REQUEST | ONLY, BTH, ATOMIC_ETH),
    RC_FETCH_ADD(0x14, NONE, REQUEST | ONLY, BTH, ATOMIC_ETH),
    RC_SEND_LAST_WITH_INVALIDATE(0x16, NONEMPTY, PAYLOAD | REQUEST | ENDS | RECV_CQE, BTH, IETH),
    RC_SEND_ONLY_WITH_INVALIDATE(0x17, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, IETH),
    RC_FLUSH(0x1C, NONE, REQUEST | ONLY, BTH, FETH, RETH),
    RC_ATOMIC_WRITE(0x1D, EIGHT, PAYLOAD | REQUEST | ONLY, BTH, RETH),
    UC_SEND_FIRST(0x20, FULL, PAYLOAD | REQUEST | STARTS | TAKES_RECV, BTH),
    UC_SEND_MIDDLE(0x21, FULL, PAYLOAD | REQUEST, BTH),
    UC_SEND_LAST(0x22, NONEMPTY, PAYLOAD | REQUEST | ENDS | RECV_CQE, BTH),
    UC_SEND_LAST_WITH_IMMEDIATE(0x23, NONEMPTY, PAYLOAD | REQUEST | ENDS | RECV_CQE, BTH, IMM_DT),
    UC_SEND_ONLY(0x24, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH),
    UC_SEND_ONLY_WITH_IMMEDIATE(0x25, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, IMM_DT),
    UC_RDMA_WRITE_FIRST(0x26, FULL, PAYLOAD | REQUEST | STARTS, BTH, RETH),
    UC_RDMA_WRITE_MIDDLE(0x27, FULL, PAYLOAD | REQUEST, BTH),
    UC_RDMA_WRITE_LAST(0x28, NONEMPTY, PAYLOAD | REQUEST | ENDS, BTH),
    UC_RDMA_WRITE_LAST_WITH_IMMEDIATE(0x29, NONEMPTY, PAYLOAD | REQUEST | ENDS | TAKES_RECV | RECV_CQE, BTH, IMM_DT),
    UC_RDMA_WRITE_ONLY(0x2A, ANY, PAYLOAD | REQUEST | ONLY, BTH, RETH),
    UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(0x2B, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, RETH, IMM_DT),
    UD_SEND_ONLY(0x64, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, DETH),
    UD_SEND_ONLY_WITH_IMMEDIATE(0x65, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, DETH, IMM_DT),
    CNP(0x81, NONE, ONLY, BTH, CNP_RESERVED),
    RD_SEND_FIRST(0x40, FULL, PAYLOAD | REQUEST | STARTS | TAKES_RECV, BTH, RDETH, DETH),
    RD_SEND_MIDDLE(0x41, FULL, PAYLOAD | REQUEST, BTH, RDETH, DETH),
    RD_SEND_LAST(0x42, NONEMPTY, PAYLOAD | REQUEST | ENDS | RECV_CQE, BTH, RDETH, DETH),
    RD_SEND_LAST_WITH_IMMEDIATE(0x43, NONEMPTY, PAYLOAD | REQUEST | ENDS | RECV_CQE, BTH, RDETH, DETH, IMM_DT),
    RD_SEND_ONLY(0x44, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, RDETH, DETH),
    RD_SEND_ONLY_WITH_IMMEDIATE(0x45, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, RDETH, DETH, IMM_DT),
    RD_RDMA_WRITE_FIRST(0x46, FULL, PAYLOAD | REQUEST | STARTS, BTH, RDETH, DETH, RETH),
    RD_RDMA_WRITE_MIDDLE(0x47, FULL, PAYLOAD | REQUEST, BTH, RDETH, DETH),
    RD_RDMA_WRITE_LAST(0x48, NONEMPTY, PAYLOAD | REQUEST | ENDS, BTH, RDETH, DETH),
    RD_RDMA_WRITE_LAST_WITH_IMMEDIATE(
            0x49, NONEMPTY, PAYLOAD | REQUEST | ENDS | TAKES_RECV | RECV_CQE, BTH, RDETH, DETH, IMM_DT),
    RD_RDMA_WRITE_ONLY(0x4A, ANY, PAYLOAD | REQUEST | ONLY, BTH, RDETH, DETH, RETH),
    RD_RDMA_WRITE_ONLY_WITH_IMMEDIATE(
            0x4B, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, RDETH, DETH, RETH, IMM_DT),
    RD_RDMA_READ_REQUEST(0x4C, NONE, REQUEST | ONLY, BTH, RDETH, DETH, RETH),
    RD_RDMA_READ_RESPONSE_FIRST(0x4D, FULL, PAYLOAD | RESPONSE | STARTS, BTH, RDETH, AETH),
    RD_RDMA_READ_RESPONSE_MIDDLE(0x4E, FULL, PAYLOAD | RESPONSE, BTH, RDETH),
    RD_RDMA_READ_RESPONSE_LAST(0x4F, NONEMPTY, PAYLOAD | RESPONSE | ENDS, BTH, RDETH, AETH),
    RD_RDMA_READ_RESPONSE_ONLY(0x50, ANY, PAYLOAD | RESPONSE | ONLY, BTH, RDETH, AETH),
    RD_ACKNOWLEDGE(0x51, NONE, RESPONSE | ONLY, BTH, RDETH, AETH),
    RD_ATOMIC_ACKNOWLEDGE(0x52, NONE, RESPONSE | ONLY, BTH, RDETH, AETH, ATOMIC_ACK_ETH),
    RD_COMPARE_SWAP(0x53, NONE, REQUEST | ONLY, BTH, RDETH, DETH, ATOMIC_ETH),
    RD_FETCH_ADD(0x54, NONE, REQUEST | ONLY, BTH, RDETH, DETH, ATOMIC_ETH),
    XRC_SEND_FIRST(0xA0, FULL, PAYLOAD | REQUEST | STARTS | TAKES_RECV, BTH, XRC_ETH),
    XRC_SEND_MIDDLE(0xA1, FULL, PAYLOAD | REQUEST, BTH, XRC_ETH),
    XRC_SEND_LAST(0xA2, NONEMPTY, PAYLOAD | REQUEST | ENDS | RECV_CQE, BTH, XRC_ETH),
    XRC_SEND_LAST_WITH_IMMEDIATE(0xA3, NONEMPTY, PAYLOAD | REQUEST | ENDS | RECV_CQE, BTH, XRC_ETH, IMM_DT),
    XRC_SEND_ONLY(0xA4, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, XRC_ETH),
    XRC_SEND_ONLY_WITH_IMMEDIATE(0xA5, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, XRC_ETH, IMM_DT),
    XRC_RDMA_WRITE_FIRST(0xA6, FULL, PAYLOAD | REQUEST | STARTS, BTH, XRC_ETH, RETH),
    XRC_RDMA_WRITE_MIDDLE(0xA7, FULL, PAYLOAD | REQUEST, BTH, XRC_ETH),
    XRC_RDMA_WRITE_LAST(0xA8, NONEMPTY, PAYLOAD | REQUEST | ENDS, BTH, XRC_ETH),
    XRC_RDMA_WRITE_LAST_WITH_IMMEDIATE(
            0xA9, NONEMPTY, PAYLOAD | REQUEST | ENDS | TAKES_RECV | RECV_CQE, BTH, XRC_ETH, IMM_DT),
    XRC_RDMA_WRITE_ONLY(0xAA, ANY, PAYLOAD | REQUEST | ONLY, BTH, XRC_ETH, RETH),
    XRC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(
            0xAB, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, XRC_ETH, RETH, IMM_DT),
    XRC_RDMA_READ_REQUEST(0xAC, NONE, REQUEST | ONLY, BTH, XRC_ETH, RETH),
    XRC_RDMA_READ_RESPONSE_FIRST(0xAD, FULL, PAYLOAD | RESPONSE | STARTS, BTH, AETH),
    XRC_RDMA_READ_RESPONSE_MIDDLE(0xAE, FULL, PAYLOAD | RESPONSE, BTH),
    XRC_RDMA_READ_RESPONSE_LAST(0xAF, NONEMPTY, PAYLOAD | RESPONSE | ENDS, BTH, AETH),
    XRC_RDMA_READ_RESPONSE_ONLY(0xB0, ANY, PAYLOAD | RESPONSE | ONLY, BTH, AETH),
    XRC_ACKNOWLEDGE(0xB1, NONE, RESPONSE | ONLY, BTH, AETH),
    XRC_ATOMIC_ACKNOWLEDGE(0xB2, NONE, RESPONSE | ONLY, BTH, AETH, ATOMIC_ACK_ETH),
    XRC_COMPARE_SWAP(0xB3, NONE, REQUEST | ONLY, BTH, XRC_ETH, ATOMIC_ETH),
    XRC_FETCH_ADD(0xB4, NONE, REQUEST | ONLY, BTH, XRC_ETH, ATOMIC_ETH),
    XRC_SEND_LAST_WITH_INVALIDATE(0xB6, NONEMPTY, PAYLOAD | REQUEST | ENDS | RECV_CQE, BTH, XRC_ETH, IETH),
    XRC_SEND_ONLY_WITH_INVALIDATE(0xB7, ANY, PAYLOAD | REQUEST | ONLY | TAKES_RECV | RECV_CQE, BTH, XRC_ETH, IETH);

    private static final @Nullable Opcode[] BY_CODE = new Opcode[256];

    static {
        for (Opcode opcode : values()) {
            BY_CODE[opcode.code] = opcode;
        }
    }

    private final int code;
    private final PayloadRule payloadRule;
    private final int traits;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is
    private final List<Header> headers;

    private final int headerBytes;
    private final int headerMask;
    private final Service service;

    Opcode(int code, PayloadRule payloadRule, int traits, Header... headers) {
        this.code = code;
        this.payloadRule = payloadRule;
        this.traits = traits;
        this.headers = List.of(headers);
        this.service = Service.ofBits(code >> 5);
        int bytes = 0;
        int mask = 0;
        for (Header header : headers) {
            bytes += header.bytes();
            mask |= header.mask();
        }
        this.headerBytes = bytes;
        this.headerMask = mask;
    }

    /** Returns the row of a code of 0 to 255, null if the code is reserved. */
    public static @Nullable Opcode find(int code) {
        return BY_CODE[code & 0xFF];
    }

    /**
     * Returns the row of a code that the caller knows to be valid, for instance out of a packet that was decoded.
     *
     * @throws InvariantViolation if the code is reserved
     */
    public static Opcode of(int code) {
        Opcode found = find(code);
        if (found == null) {
            throw new InvariantViolation("reserved opcode 0x" + Integer.toHexString(code & 0xFF));
        }
        return found;
    }

    /**
     * Returns the opcode of the same operation and another service, for instance UC_SEND_FIRST of RC_SEND_FIRST; null if that
     * service does not have the operation.
     */
    public @Nullable Opcode with(Service other) {
        return find((other.bits() << 5) | (code & 0x1F));
    }

    /** Returns byte 0 of the BTH. */
    public int code() {
        return code;
    }

    /** Returns the transport service. */
    public Service service() {
        return service;
    }

    /** Returns the headers in wire order, the BTH first. */
    public List<Header> headers() {
        return headers;
    }

    /** Returns the bytes of all headers, the BTH included. */
    public int headerBytes() {
        return headerBytes;
    }

    /** Tells whether packets have this header. */
    public boolean has(Header header) {
        return (headerMask & header.mask()) != 0;
    }

    /** Returns the rule for the payload length. */
    public PayloadRule payloadRule() {
        return payloadRule;
    }

    /** Tells whether packets of this opcode can carry payload. */
    public boolean hasPayload() {
        return (traits & PAYLOAD) != 0;
    }

    /** Tells whether the packet goes from requester to responder. */
    public boolean isRequest() {
        return (traits & REQUEST) != 0;
    }

    /** Tells whether the packet goes from responder to requester. */
    public boolean isResponse() {
        return (traits & RESPONSE) != 0;
    }

    /** Tells whether this is a FIRST or ONLY packet. */
    public boolean startsMessage() {
        return (traits & STARTS) != 0;
    }

    /** Tells whether this is a LAST or ONLY packet. */
    public boolean endsMessage() {
        return (traits & ENDS) != 0;
    }

    /** Tells whether the responder takes a receive WQE at this packet. */
    public boolean consumesRecv() {
        return (traits & TAKES_RECV) != 0;
    }

    /** Tells whether the responder writes a receive CQE for this packet. */
    public boolean makesRecvCqe() {
        return (traits & RECV_CQE) != 0;
    }

    /** Tells whether the packet carries immediate data. */
    public boolean hasImm() {
        return has(IMM_DT);
    }

    /** Tells whether the packet carries an RDMA extended header. */
    public boolean hasReth() {
        return has(RETH);
    }

    /** Tells whether the packet carries an acknowledge extended header. */
    public boolean hasAeth() {
        return has(AETH);
    }

    /** Tells whether the packet is an atomic request. */
    public boolean hasAtomicEth() {
        return has(ATOMIC_ETH);
    }

    /** Tells whether the packet carries a key to invalidate. */
    public boolean hasIeth() {
        return has(IETH);
    }

    /** Tells whether the packet carries a datagram extended header. */
    public boolean hasDeth() {
        return has(DETH);
    }
}

package dev.clockwire.bench.replay;

import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;

/**
 * One RC or UC packet of a capture.
 *
 * @param frame number of its frame in the file, from 1 on
 * @param packet what it says; nobody changes it
 * @param opcode the row of its opcode
 */
record Captured(long frame, RocePacket packet, Opcode opcode) {
    /** Returns whether this asks for something; else it answers. */
    boolean isRequest() {
        return opcode.isRequest();
    }

    /** Returns whether this is an acknowledgement: positive, receiver-not-ready or refusal. */
    boolean isAck() {
        return opcode == Opcode.RC_ACKNOWLEDGE;
    }

    /** Returns whether this asks for data of the peer's memory. */
    boolean isRead() {
        return opcode == Opcode.RC_RDMA_READ_REQUEST;
    }
}

package dev.clockwire.roce.fabric;

import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultFilter;
import dev.clockwire.sim.state.Token;

/** Events of the protocol that can be seen on the line, for faults that wait for one. */
public enum FrameEvent implements FaultFilter {
    /** An acknowledgement. */
    ACK,
    /** A negative acknowledgement of any kind but receiver not ready. */
    NAK,
    /** Receiver not ready. */
    RNR_NAK,
    /** The first or only packet of a READ's response. */
    READ_RESPONSE,
    /** The answer to an atomic. */
    ATOMIC_RESPONSE,
    /** The first packet of a message or request. */
    REQUEST,
    /** The last packet of a message. */
    MESSAGE_END,
    /** A congestion notification. */
    CNP;

    @Override
    public boolean matches(Token thing) {
        if (!(thing instanceof RocePacket packet)) {
            return false;
        }
        Opcode opcode = Opcode.find(packet.opcode);
        if (opcode == null) {
            return false;
        }
        return switch (this) {
            case ACK -> opcode == Opcode.RC_ACKNOWLEDGE && Syndrome.isAck(packet.syndrome);
            case NAK -> opcode == Opcode.RC_ACKNOWLEDGE && isNak(packet.syndrome);
            case RNR_NAK -> opcode == Opcode.RC_ACKNOWLEDGE && Syndrome.isRnr(packet.syndrome);
            case READ_RESPONSE ->
                opcode == Opcode.RC_RDMA_READ_RESPONSE_FIRST || opcode == Opcode.RC_RDMA_READ_RESPONSE_ONLY;
            case ATOMIC_RESPONSE -> opcode == Opcode.RC_ATOMIC_ACKNOWLEDGE;
            case REQUEST -> opcode.isRequest() && opcode.startsMessage();
            case MESSAGE_END -> opcode.isRequest() && opcode.endsMessage();
            case CNP -> opcode == Opcode.CNP;
        };
    }

    private static boolean isNak(int syndrome) {
        return !Syndrome.isAck(syndrome) && !Syndrome.isRnr(syndrome);
    }
}

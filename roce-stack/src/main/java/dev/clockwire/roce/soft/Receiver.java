package dev.clockwire.roce.soft;

import dev.clockwire.roce.transport.PartitionKey;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import org.jspecify.annotations.Nullable;

/**
 * Checks packets and hands them to their queue pair. The ICRC comes first: nothing in a damaged packet can be trusted. What fails is
 * dropped in silence and counted.
 */
final class Receiver {
    private static final int SERVICE_SHIFT = 5;

    private final SoftDevice device;

    Receiver(SoftDevice device) {
        this.device = device;
    }

    void receive(RocePacket packet) {
        Opcode opcode = Opcode.find(packet.opcode);
        boolean response = opcode != null && opcode.isResponse();
        SoftQueuePair qp = device.find(packet.destQp);
        SoftCounter failure = check(packet, qp, response);
        if (failure != null || qp == null) {
            device.count(failure == null ? SoftCounter.BAD_QP : failure);
        } else if (response) {
            qp.sends.onResponse(packet);
        } else {
            qp.receives.onRequest(packet);
        }
    }

    private @Nullable SoftCounter check(RocePacket packet, @Nullable SoftQueuePair qp, boolean response) {
        if (!packet.icrcOk) {
            return SoftCounter.ICRC_ERROR;
        }
        if (packet.tver != 0) {
            return SoftCounter.BAD_VERSION;
        }
        if (qp == null || packet.opcode >> SERVICE_SHIFT != qp.type.service().bits()) {
            return SoftCounter.BAD_QP;
        }
        if (response ? !qp.state().acceptsResponses() : !qp.state().acceptsRequests()) {
            return SoftCounter.BAD_STATE;
        }
        if (!addressed(packet.flow, qp)) {
            return SoftCounter.BAD_ADDRESS;
        }
        if (!PartitionKey.matches(packet.pkey, RocePacket.DEFAULT_PKEY)) {
            return SoftCounter.BAD_PKEY;
        }
        return qp.type == QpType.UD && packet.qkey != qp.qkey() ? SoftCounter.BAD_QKEY : null;
    }

    /** A connection hears only its peer; anybody may send a datagram. */
    private boolean addressed(FlowAddress flow, SoftQueuePair qp) {
        return qp.type == QpType.UD ? device.address().isDestinationOf(flow) : flow.isBackOf(qp.flow);
    }
}

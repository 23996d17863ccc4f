package dev.clockwire.nic.ether;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.roce.wire.Encapsulation;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import org.jspecify.annotations.Nullable;

/**
 * Parts RDMA from Ethernet at the receiver: RoCEv2 is RDMA's unless a flow rule is about it. Part of the receiver; what is Ethernet's goes on
 * to the Ethernet block.
 */
public final class EthSteering {
    private final EthTable table;
    private final DeviceParts parts;
    private final EventPort line;
    private final FrameFields fields = new FrameFields();
    private final FrameEncoder encoder = new FrameEncoder();
    private final FrameDecoder decoder = new FrameDecoder();

    EthSteering(EthTable table, DeviceParts parts, EventPort line) {
        this.table = table;
        this.parts = parts;
        this.line = line;
    }

    /** Takes a RoCE packet that a rule is about; as a frame it goes where the rule says. */
    public boolean takes(RocePacket packet, long now) {
        if (table.rules().isEmpty()) {
            return false;
        }
        FlowAddress flow = packet.flow;
        fields.set(
                flow.encapsulation == Encapsulation.IPV4 ? FrameFields.IPV4 : FrameFields.IPV6,
                flow.srcIpv4(),
                flow.dstIpv4(),
                flow.udpSourcePort);
        if (table.rule(fields) == null) {
            return false;
        }
        EthFrame frame = new EthFrame(); // rare: RDMA traffic that is not wanted as such
        frame.resize(packet.wireBytes());
        if (packet.payload.isBytes()) {
            encoder.encode(packet, frame.bytes, 0);
        } else {
            encoder.encodeHeaders(packet, frame.bytes, 0); // nobody has the bytes: zeros stand for them
        }
        frame.seal();
        parts.packets().give(packet);
        line.send(now + 1, EthernetPort.FRAME, 0, 0, frame);
        return true;
    }

    /** Takes a frame: returns the RoCE packet it is, or sends it on and returns null. */
    public @Nullable RocePacket roce(EthFrame frame, long now) {
        fields.read(frame.bytes, frame.length);
        if (fields.isRoce() && table.rule(fields) == null && frame.check() == frame.fcs) {
            RocePacket packet = parts.packets().take();
            if (decoder.decode(frame.bytes, 0, frame.length, packet).isWhole()) {
                return packet;
            }
            parts.packets().give(packet);
        }
        line.send(now + 1, EthernetPort.FRAME, 0, 0, frame);
        return null;
    }
}

package dev.clockwire.nic.encode;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.stage.LatencyStage;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Scope;
import java.util.List;

/**
 * Builds the headers and runs the ICRC over the packet. Requests and responses take turns; a packet occupies the bus for
 * its beats. The cycle in which the send engine hands a packet over counts as the encoder's first.
 */
public final class Encoder extends LatencyStage<RocePacket> {
    private static final int ECT_0 = 2;

    private final DeviceParts parts;
    private final boolean capable;

    /** Creates the encoder between the engines and the MAC. */
    public Encoder(
            Scope parent, Clock clock, List<Channel<RocePacket>> in, Channel<RocePacket> out, DeviceParts parts) {
        super(
                parent,
                "encoder",
                clock,
                in,
                out,
                Math.max(1, parts.spec().headerCycles() + parts.spec().icrcCycles() - 1));
        this.parts = parts;
        capable = parts.spec().congestion().capable();
    }

    /** An acknowledgement comes with its headers from the ACK generator; only the ICRC is left to do. */
    @Override
    protected int latency(RocePacket packet) {
        int all = super.latency(packet);
        boolean built = packet.opcode == Opcode.RC_ACKNOWLEDGE.code();
        return built ? Math.max(1, all - parts.spec().headerCycles()) : all;
    }

    @Override
    protected int beats(RocePacket packet) {
        return parts.spec().beats(packet.wireBytes());
    }

    @Override
    protected void enter(RocePacket packet, long cycle) {
        packet.icrcOk = true;
        if (capable && packet.flow.ecn == 0) {
            packet.flow.ecn = ECT_0;
        }
    }

    @Override
    protected void leave(RocePacket packet, long entered, long cycle) {
        int stage = parts.journal().assemblyOf(packet);
        long in = clock().edgeTime(entered);
        parts.journal().stamp(packet.journey, stage, packet.psn, in, clock().edgeTime(cycle + 1));
    }
}

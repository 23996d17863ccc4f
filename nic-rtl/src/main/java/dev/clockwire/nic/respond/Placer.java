package dev.clockwire.nic.respond;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.RequestDecision;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.mem.Payload;

/** Places received payload in memory, what stands in front of a datagram too. Part of the responder, not a block. */
final class Placer {
    private final EventPort writes;
    private final EventPort chipWrites;
    private final Inlet<DmaWrite> written;
    private final DeviceParts parts;
    private final RemoteAccess access;
    private final RespondState s;
    private final FrameEncoder encoder = new FrameEncoder();
    private final byte[] grh = new byte[FrameEncoder.GRH_BYTES];
    private final Payload whole = new Payload();

    Placer(EventPort writes, Inlet<DmaWrite> written, DeviceParts parts, RemoteAccess access, RespondState s) {
        this.writes = writes;
        chipWrites = parts.chipMemory().writePort("receive");
        this.written = written;
        this.parts = parts;
        this.access = access;
        this.s = s;
    }

    /** Puts what stands in front of a datagram before its payload; returns its bytes, 0 for other services. */
    int datagramHeader(ReceiveQueue queue, RocePacket packet) {
        if (queue.qp.type != QpType.UD) {
            return 0;
        }
        encoder.encodeGrh(packet, grh, 0);
        whole.clear();
        whole.appendBytes(grh, 0, FrameEncoder.GRH_BYTES);
        whole.appendFrom(packet.payload, 0, packet.payloadLength);
        packet.payload.clear();
        packet.payload.appendFrom(whole, 0, whole.length());
        packet.payloadLength += FrameEncoder.GRH_BYTES;
        return FrameEncoder.GRH_BYTES;
    }

    void scatter(ReceiveQueue queue, RocePacket packet, long offset, long now) {
        long skip = offset;
        int from = 0;
        for (int i = 0; i < queue.segments() && from < packet.payloadLength; i++) {
            long length = queue.length(i);
            if (skip >= length) {
                skip -= length;
                continue;
            }
            int n = (int) Math.min(packet.payloadLength - from, length - skip);
            int key = queue.lkey(i);
            write(key, parts.worker(queue.qp, key), access.segment(i) + skip, packet, from, n, now);
            from += n;
            skip = 0;
        }
    }

    /** Places the payload of a peer's write. */
    void write(ReceiveQueue queue, RocePacket packet, RequestDecision d, long now) {
        write(d.rkey, parts.peer(queue.qp.qpn, d.rkey), d.va, packet, 0, packet.payloadLength, now);
    }

    private void write(int key, long user, long va, RocePacket packet, int from, int length, long now) {
        if (length == 0) {
            return;
        }
        DmaWrite w = parts.writes().take();
        w.relaxed = parts.spec().relaxedWrites();
        w.address = va;
        w.length = length;
        w.key = key;
        w.user = user;
        w.part = packet.psn;
        w.cookie = packet.destQp;
        w.data.clear();
        w.data.appendFrom(packet.payload, from, length);
        w.journey = packet.journey;
        w.stage = packet.journey == 0 ? 0 : parts.journal().rxDma;
        w.done = written;
        s.bytesInFlight += length;
        (parts.chipMemory().holds(va) ? chipWrites : writes).send(now + 1, 0, 0, 0, w);
    }
}

package dev.clockwire.nic.complete;

import dev.clockwire.nic.context.CqContext;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;

/** Reads how far the driver has consumed completion queues, one at a time. Part of the completion unit, not a block. */
final class ConsumerRecord {
    private static final int RECORD_BYTES = 4;
    private static final int FLOW = 0xFFFD;

    private final EventPort reads;
    private final Inlet<DmaRead> replies;
    private final DeviceParts parts;
    private final CqState s;

    ConsumerRecord(EventPort reads, Inlet<DmaRead> replies, DeviceParts parts, CqState s) {
        this.reads = reads;
        this.replies = replies;
        this.parts = parts;
        this.s = s;
    }

    /** Asks how many entries of a queue the driver has consumed. */
    void read(CqContext cq, long now) {
        s.reading = true;
        s.readSince = now;
        DmaRead r = s.record;
        r.address = cq.recordAddress();
        r.length = RECORD_BYTES;
        r.into.clear();
        r.cookie = cq.cqn();
        r.flow = FLOW;
        r.window = 1;
        r.reply = replies;
        reads.send(now + 1, 0, 0, 0, r);
    }

    /** Takes the answer over; a queue whose record cannot be read breaks. */
    void arrived(DmaRead reply, long now) {
        s.record = reply;
        s.reading = false;
        if (reply.error != DmaError.NONE) {
            parts.control().cqFailed((int) reply.cookie);
            return;
        }
        int counter = 0;
        for (int i = 1; i < RECORD_BYTES; i++) {
            counter = (counter << 8) | (reply.into.byteAt(i) & 0xFF);
        }
        int cqn = (int) reply.cookie;
        CqContext cq = parts.table().cq(cqn);
        if (s.asked == cqn || (cq != null && s.used(cqn) >= cq.entries())) {
            s.roomAt = now;
            s.roomAskedAt = s.readSince;
        }
        s.consumed(cqn, counter);
    }
}

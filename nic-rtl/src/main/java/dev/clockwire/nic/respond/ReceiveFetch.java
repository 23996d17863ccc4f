package dev.clockwire.nic.respond;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads receive WQEs ahead of their use. There is no doorbell for them: the doorbell record in host memory says how many
 * are posted, so it is read first whenever the known ones run low. Part of the responder.
 */
final class ReceiveFetch {
    private static final int RECORD_BYTES = 8;
    private static final int FLOW = 0xFFFE;
    private static final int WINDOW = 1024;
    private static final long RECORD = 1L << 32;
    private static final long FOR_PACKET = 1L << 33;

    private final EventPort port;
    private final Inlet<DmaRead> replies;
    private final RespondState state;
    private final List<DmaRead> free = new ArrayList<>();

    ReceiveFetch(EventPort port, Inlet<DmaRead> replies, RespondState state) {
        this.port = port;
        this.replies = replies;
        this.state = state;
    }

    /** Takes one reply. */
    boolean tick(long cycle, long now) {
        if (!replies.valid(cycle)) {
            return false;
        }
        DmaRead reply = replies.take(cycle);
        ReceiveQueue queue = state.queue((int) reply.cookie);
        queue.fetching = false;
        if ((reply.cookie & RECORD) != 0) {
            queue.producer = ((reply.into.byteAt(2) & 0xFF) << 8) | (reply.into.byteAt(3) & 0xFF);
            queue.foundNone = queue.posted() == 0 && (reply.cookie & FOR_PACKET) != 0;
        } else {
            queue.add(reply.into);
        }
        free.add(reply);
        if (queue.posted() > 0 || (queue.waited && !queue.foundNone)) {
            ahead(queue, now);
        }
        return true;
    }

    /** Starts the next read of a queue unless one is on its way; returns whether it did. */
    boolean ahead(ReceiveQueue queue, long now) {
        if (queue.fetching || queue.qp.logRqEntries < 0 || queue.available() == ReceiveQueue.AHEAD) {
            return false;
        }
        QpContext qp = queue.qp;
        int count = queue.nextRead();
        DmaRead r = free.isEmpty() ? new DmaRead() : free.remove(free.size() - 1);
        if (count == 0) {
            r.address = qp.recordAddress;
            r.length = RECORD_BYTES;
            r.cookie = qp.qpn | RECORD | (queue.waited ? FOR_PACKET : 0);
        } else {
            r.address = qp.rqBase + (long) (queue.fetched & (1 << qp.logRqEntries) - 1) * qp.rqStride;
            r.length = count * qp.rqStride;
            r.cookie = qp.qpn;
        }
        r.into.clear();
        r.flow = FLOW;
        r.window = WINDOW;
        r.reply = replies;
        queue.fetching = true;
        port.send(now + 1, 0, 0, 0, r);
        return true;
    }
}

package dev.clockwire.nic.respond;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.context.SrqContext;
import dev.clockwire.nic.stage.QpRing;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The receive sides of all queue pairs, bytes on their way to the endpoint, and counters under the names of the field. */
final class RespondState implements State {
    private final List<@Nullable ReceiveQueue> queues = new ArrayList<>();
    private final List<ReceiveWqes> sharedRings = new ArrayList<>();
    private final ContextTable table;
    /** Failed queue pairs whose receives are being flushed. */
    final QpRing flush = new QpRing();

    long bytesInFlight;
    long outOfSequence;
    long duplicates;
    long resourceErrors;
    long refused;
    long dropped;

    RespondState(ContextTable table) {
        this.table = table;
    }

    /** Returns the queue of a QPN; the context exists. */
    ReceiveQueue queue(int qpn) {
        return at(table.slot(qpn));
    }

    /** Returns the queue in a slot of the table. */
    ReceiveQueue at(int q) {
        while (q >= queues.size()) {
            queues.add(null);
        }
        ReceiveQueue queue = queues.get(q);
        if (queue == null) {
            QpContext qp = table.at(q);
            SrqContext srq = qp.srq;
            queue = new ReceiveQueue(qp, srq == null ? new ReceiveWqes(qp) : shared(srq.srqn()));
            queues.set(q, queue);
        }
        return queue;
    }

    /** Returns the ring of a shared queue that exists. */
    ReceiveWqes shared(int srqn) {
        while (srqn >= sharedRings.size()) {
            sharedRings.add(new ReceiveWqes(table.srq(sharedRings.size())));
        }
        return sharedRings.get(srqn);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(sharedRings.size());
        for (ReceiveWqes ring : sharedRings) {
            ring.save(out);
        }
        out.putInt(queues.size());
        for (ReceiveQueue queue : queues) {
            out.putBoolean(queue != null);
            if (queue != null) {
                queue.save(out);
            }
        }
        out.putInt(flush.size());
        for (int i = 0; i < flush.size(); i++) {
            out.putInt(flush.get(i));
        }
        out.putLong(bytesInFlight);
        out.putLong(outOfSequence);
        out.putLong(duplicates);
        out.putLong(resourceErrors);
        out.putLong(refused);
        out.putLong(dropped);
    }

    @Override
    public void load(Snapshot in) {
        sharedRings.clear();
        for (int n = in.getInt(), i = 0; i < n; i++) {
            shared(i).load(in);
        }
        queues.clear();
        for (int n = in.getInt(), q = 0; q < n; q++) {
            if (in.getBoolean()) {
                at(q).load(in);
            } else {
                queues.add(null);
            }
        }
        flush.clear();
        for (int n = in.getInt(); n > 0; n--) {
            flush.add(in.getInt());
        }
        bytesInFlight = in.getLong();
        outOfSequence = in.getLong();
        duplicates = in.getLong();
        resourceErrors = in.getLong();
        refused = in.getLong();
        dropped = in.getLong();
    }
}

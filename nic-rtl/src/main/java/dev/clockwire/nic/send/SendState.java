package dev.clockwire.nic.send;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.nic.sched.QpArbiter;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The send queues of the engine, by QPN, and the ring of those that have something to start or to make. */
final class SendState implements State {
    private final List<@Nullable SendQueue> queues = new ArrayList<>();
    private final ContextTable table;
    private final NicSpec spec;
    final QpArbiter issue;
    /** Packets made so far. */
    long made;

    final SendCounters counters = new SendCounters();

    SendState(ContextTable table, NicSpec spec) {
        this.table = table;
        this.spec = spec;
        issue = QpArbiter.of(spec.queues().policy(), table);
    }

    /** Returns the queue of a slot; the context exists. */
    SendQueue queue(int q) {
        while (q >= queues.size()) {
            queues.add(null);
        }
        SendQueue queue = queues.get(q);
        if (queue == null) {
            queue = new SendQueue(table.at(q), spec);
            queues.set(q, queue);
        }
        return queue;
    }

    /** Lets a queue take part from a time on. */
    void ready(int q, long ps) {
        if (issue.add(q)) {
            SendQueue queue = queue(q);
            queue.readyAt = ps;
            queue.madeThen = made;
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(queues.size());
        for (SendQueue queue : queues) {
            out.putBoolean(queue != null);
            if (queue != null) {
                queue.save(out);
            }
        }
        issue.save(out);
        out.putLong(made);
        counters.save(out);
    }

    @Override
    public void load(Snapshot in) {
        queues.clear();
        for (int n = in.getInt(), q = 0; q < n; q++) {
            if (in.getBoolean()) {
                queue(q).load(in);
            } else {
                queues.add(null);
            }
        }
        issue.load(in);
        made = in.getLong();
        counters.load(in);
    }
}

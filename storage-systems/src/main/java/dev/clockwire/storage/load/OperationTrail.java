package dev.clockwire.storage.load;

import dev.clockwire.storage.cluster.OperationTap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Follows the operations of a load, and keeps some with all their steps; see {@link KeptOperations}. */
public final class OperationTrail implements OperationTap {
    private final List<OperationSteps> handles = new ArrayList<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private final Deque<OperationSteps> spare = new ArrayDeque<>();
    private final List<Map<Long, OperationSteps>> named = new ArrayList<>();
    private final KeptOperations reads = new KeptOperations();
    private final KeptOperations writes = new KeptOperations();
    private @Nullable OperationSteps unnamed;

    /** Follows nothing yet. */
    public OperationTrail() {}

    /** Returns what is known of measured reads. */
    public KeptOperations reads() {
        return reads;
    }

    /** Returns what is known of measured writes. */
    public KeptOperations writes() {
        return writes;
    }

    @Override
    public int invoked(int client, boolean write, long ps) {
        OperationSteps op = spare.isEmpty() ? new OperationSteps() : spare.pop();
        op.begin(client, write, ps);
        unnamed = op;
        if (free.isEmpty()) {
            handles.add(op);
            return handles.size() - 1;
        }
        int handle = free.pop();
        handles.set(handle, op);
        return handle;
    }

    @Override
    public void returned(int handle, long ps, boolean counts) {
        OperationSteps op = handles.get(handle);
        free.push(handle);
        of(op.client()).remove(op.number(), op);
        if (unnamed == op) {
            unnamed = null;
        }
        op.end(ps);
        OperationSteps other = !counts ? op : op.isWrite() ? writes.add(op) : reads.add(op);
        if (other != null) {
            spare.push(other);
        }
    }

    private Map<Long, OperationSteps> of(int client) {
        while (named.size() <= client) {
            named.add(new TreeMap<>());
        }
        return named.get(client);
    }

    @Override
    public void named(int client, long operation) {
        OperationSteps op = unnamed;
        if (op != null && op.client() == client) {
            unnamed = null;
            op.number(operation);
            of(client).put(operation, op);
        }
    }

    @Override
    public void renamed(int client, long from, long to) {
        OperationSteps op = of(client).remove(from);
        if (op != null) {
            op.number(to);
            of(client).put(to, op);
        }
    }

    @Override
    public void step(int client, long operation, int host, String step, long ps) {
        OperationSteps op =
                client < 0 || client >= named.size() ? null : named.get(client).get(operation);
        if (op != null) {
            op.add(step, host, ps);
        }
    }
}

package dev.clockwire.storage.daos.rpc;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Bulk handles of a client: memory is registered for each operation and deregistered behind it, which costs its core time, unless a cache keeps registrations. Of
 * more handles than the quota the rest waits.
 */
public final class BulkRegistry {
    private static final EnumSet<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);

    private final Node node;
    private final RpcSpec spec;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Map<Long, MemoryRegion> cached = new TreeMap<>();
    private int open;
    private int most;
    private long registrations;

    private record Waiting(long va, int length, Consumer<MemoryRegion> then) {}

    /** Creates a registry of a node's incarnation. */
    public BulkRegistry(Node node, RpcSpec spec) {
        this.node = node;
        this.spec = spec;
    }

    /** Registers memory, now or when the quota allows it. */
    public void register(long va, int length, Consumer<MemoryRegion> then) {
        MemoryRegion known = spec.cache() ? cached.get(va) : null;
        if (known != null && known.length() >= length) {
            node.worker(0).post((a, b) -> then.accept(known), 0, 0);
            return;
        }
        if (open >= spec.bulkQuota()) {
            waiting.add(new Waiting(va, length, then));
            return;
        }
        open++;
        most = Math.max(most, open);
        registrations++;
        node.worker(0).core().charge(spec.costPs(va, length));
        node.pd().regMr(va, length, ACCESS).whenDone(mr -> node.worker(0).post((a, b) -> then.accept(mr), 0, 0));
    }

    /** Ends a handle; {@code then} runs when nobody can use it any more. */
    public void release(MemoryRegion mr, Runnable then) {
        if (spec.cache()) {
            MemoryRegion before = cached.put(mr.address(), mr);
            if (before != null && before != mr) {
                before.close();
                open--;
            }
            next();
            node.worker(0).post((a, b) -> then.run(), 0, 0);
            return;
        }
        node.worker(0).core().charge(spec.costPs(mr.address(), mr.length()));
        mr.dereg()
                .whenDone(gone -> node.worker(0)
                        .post(
                                (a, b) -> {
                                    open--;
                                    next();
                                    then.run();
                                },
                                0,
                                0));
    }

    private void next() {
        if (!waiting.isEmpty() && open < spec.bulkQuota()) {
            Waiting w = waiting.remove();
            register(w.va, w.length, w.then);
        }
    }

    /** Returns the handles that there are. */
    public int open() {
        return open;
    }

    /** Returns the most that there were at once. */
    public int most() {
        return most;
    }

    /** Returns how often memory was registered. */
    public long registrations() {
        return registrations;
    }
}

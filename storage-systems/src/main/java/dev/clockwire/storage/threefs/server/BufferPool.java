package dev.clockwire.storage.threefs.server;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.MemorySanitizer;
import dev.clockwire.sim.mem.Ownership;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Pool;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Registered buffers of one size; who finds none waits. */
public final class BufferPool {
    private static final EnumSet<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);

    private final Node node;
    private final int bytes;
    private final int lead;
    private final int count;
    private final Deque<Long> free = new ArrayDeque<>();
    private final Deque<Want> waiting = new ArrayDeque<>();
    private final Map<Long, Ownership> unused = new TreeMap<>();
    /** Buffers that peers may read. */
    final Lent lent = new Lent();

    private @Nullable MemoryRegion region;
    private int granted;

    /** Somebody who waits for so many buffers at once. */
    private record Want(int count, Consumer<long[]> then) {}

    /**
     * Creates a pool without buffers; see {@link #open}.
     *
     * @param lead bytes before each buffer that belong to it
     */
    public BufferPool(Node node, int bytes, int lead, int count) {
        this.node = node;
        this.bytes = bytes;
        this.lead = lead;
        this.count = count;
    }

    /** Registers the buffers. */
    public void open(Runnable then) {
        int each = bytes + lead;
        long all = (long) each * count;
        long memory = node.allocate("buffers", all, Allocation.Kind.BULK);
        node.pd().regMr(memory, all, ACCESS).whenDone(made -> {
            region = made;
            for (int i = 0; i < count; i++) {
                add(memory + (long) i * each + lead);
            }
            node.worker(0).post((a, b) -> then.run(), 0, 0);
        });
    }

    private @Nullable MemorySanitizer sanitizer() {
        return node.worker(0).core().memory().sanitizer();
    }

    private void add(long buffer) {
        MemorySanitizer memory = sanitizer();
        if (memory != null) {
            unused.put(buffer, memory.free(buffer - lead, bytes + lead, "of buffers"));
        }
        free.add(buffer);
    }

    private MemoryRegion region() {
        MemoryRegion r = region;
        if (r == null) {
            throw new ConfigurationException(node.name() + ": buffers are used before they are registered");
        }
        return r;
    }

    /** Returns the key for the node's own requests. */
    public int lkey() {
        return region().lkey();
    }

    /** Returns the key for those of others. */
    public int rkey() {
        return region().rkey();
    }

    /** Gives a buffer, now or when there is one. */
    public void take(LongConsumer then) {
        take(1, some -> then.accept(some[0]));
    }

    /** Gives several buffers at once, now or when there are so many: in parts, two who want several could wait for each other. */
    public void take(int n, Consumer<long[]> then) {
        if (waiting.isEmpty() && free.size() >= n) {
            then.accept(first(n));
        } else {
            waiting.add(new Want(n, then));
        }
    }

    private long[] first(int n) {
        long[] some = new long[n];
        for (int i = 0; i < n; i++) {
            some[i] = free.remove();
            taken(some[i]);
        }
        return some;
    }

    private void taken(long buffer) {
        Ownership mine = unused.remove(buffer);
        MemorySanitizer memory = sanitizer();
        if (memory != null && mine != null) {
            memory.taken(mine);
        }
    }

    /** Takes a buffer back: nobody of this node may touch it any more, and as soon as no peer can it is free. */
    public void give(long buffer) {
        lent.end(buffer, () -> back(buffer));
    }

    private void back(long buffer) {
        add(buffer);
        Want next = waiting.peek();
        if (next != null && free.size() >= next.count()) {
            waiting.remove();
            long[] some = first(next.count());
            node.worker(0).post((a, b) -> next.then().accept(some), 0, 0);
        }
    }

    /** A buffer that was taken is a slot of a peer's, for as long as its connection lasts, or is none any more. */
    void granted(boolean yes) {
        granted += yes ? 1 : -1;
    }

    /** Returns it for whoever looks whether all comes back: what is granted belongs to others. */
    public Pool pool() {
        return new Pool(node.number(), "buffers", () -> free() + granted, () -> count);
    }

    /** Returns how many are free. */
    public int free() {
        return free.size();
    }

    /** Returns how many there are. */
    public int count() {
        return count;
    }
}

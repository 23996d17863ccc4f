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
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Registered buffers of one size; who finds none waits. A write keeps its buffer while it waits for one at the next node of its chain, so it takes none unless so many stay free as nodes
 * stand behind it: then some write nearer to its tail has one, and that waits for nobody (structured buffer pools, see {@link
 * dev.clockwire.storage.threefs.rpc.Places}). 3FS has no such rule: there waits in a circle end when forwards give up, after 60 s.
 */
public final class BufferPool {
    private static final EnumSet<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);

    private final Node node;
    private final int bytes;
    private final int lead;
    private final int count;
    private final int most;
    private final Deque<Long> free = new ArrayDeque<>();
    private final List<Want> waiting = new ArrayList<>();
    private final Map<Long, Ownership> unused = new TreeMap<>();
    /** Buffers that peers may read. */
    final Lent lent = new Lent();

    private @Nullable MemoryRegion region;
    private int granted;

    /** Somebody who waits for so many buffers at once, with so many nodes behind. */
    private record Want(int count, int behind, Consumer<long[]> then) {}

    /**
     * Creates a pool without buffers; see {@link #open}.
     *
     * @param lead bytes before each buffer that belong to it
     * @param replicas of the longest chain; with fewer buffers than these, waits in a circle are possible
     */
    public BufferPool(Node node, int bytes, int lead, int count, int replicas) {
        this.node = node;
        this.bytes = bytes;
        this.lead = lead;
        this.count = count;
        most = replicas - 1;
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

    /** Gives a buffer to what is no write, now or when there is one. */
    public void take(LongConsumer then) {
        take(1, some -> then.accept(some[0]));
    }

    /** Gives several buffers to what is no write: as to a write with the most nodes behind it. */
    public void take(int n, Consumer<long[]> then) {
        take(n, most, then);
    }

    /**
     * Gives several buffers at once, now or when there are so many: in parts, two who want several could wait for each other.
     *
     * @param behind nodes that a write has behind it in its chain
     */
    public void take(int n, int behind, Consumer<long[]> then) {
        boolean mayTake = mayTake(n, behind);
        for (int i = 0; i < waiting.size() && mayTake; i++) {
            mayTake = behind < waiting.get(i).behind;
        }
        if (mayTake) {
            then.accept(first(n));
        } else {
            waiting.add(new Want(n, behind, then));
        }
    }

    private boolean mayTake(int n, int behind) {
        return free.size() >= n + Math.max(0, Math.min(behind, count - n));
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
        for (Want next = next(); next != null; next = next()) {
            Consumer<long[]> then = next.then;
            long[] some = first(next.count);
            node.worker(0).post((a, b) -> then.accept(some), 0, 0);
        }
    }

    /** Removes who is next to take some: in turn, but who is nearer to the tail need not wait for others. */
    private @Nullable Want next() {
        int nearest = Integer.MAX_VALUE;
        for (int i = 0; i < waiting.size(); i++) {
            Want w = waiting.get(i);
            if (w.behind < nearest && mayTake(w.count, w.behind)) {
                return waiting.remove(i);
            }
            nearest = Math.min(nearest, w.behind);
        }
        return null;
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

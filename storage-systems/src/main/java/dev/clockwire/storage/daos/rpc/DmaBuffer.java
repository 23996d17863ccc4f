package dev.clockwire.storage.daos.rpc;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Pool;
import dev.clockwire.storage.daos.ofi.RdmEndpoint;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The DMA buffer of a server's stream: chunks that are registered once, each with its bulk handle, from which slices are cut by size. Who finds no room sleeps until
 * there is some.
 */
public final class DmaBuffer {
    private static final EnumSet<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
    private static final int LEAST = 4096;

    private final Node node;
    private final int worker;
    private final RdmEndpoint endpoint;
    private final int chunkBytes;
    private final int most;
    private final Map<Integer, Deque<Slice>> free = new TreeMap<>();
    private final Deque<Want> waiting = new ArrayDeque<>();
    private int chunks;
    private int slices;
    private int used;

    /** A piece of a registered chunk. */
    public record Slice(long va, int bytes, MemoryRegion chunk) {}

    private record Want(int bytes, Consumer<Slice> then) {}

    /**
     * Creates a buffer without chunks: they are made when needed.
     *
     * @param worker number of the stream's
     * @param endpoint over which its memory is reached
     */
    public DmaBuffer(Node node, int worker, RdmEndpoint endpoint, int chunkBytes, int most) {
        this.node = node;
        this.worker = worker;
        this.endpoint = endpoint;
        this.chunkBytes = chunkBytes;
        this.most = most;
    }

    private static int rounded(int bytes) {
        int n = LEAST;
        while (n < bytes) {
            n *= 2;
        }
        return n;
    }

    /** Gives a slice, now or when there is room. */
    public void take(int length, Consumer<Slice> then) {
        int bytes = rounded(length);
        if (bytes > chunkBytes) {
            throw new ConfigurationException(
                    node.name() + ": a transfer of " + length + " B: a chunk has " + chunkBytes);
        }
        boolean first = !free.containsKey(bytes); // each size has one chunk at least
        Deque<Slice> of = free.computeIfAbsent(bytes, k -> new ArrayDeque<>());
        Slice s = of.poll();
        if (s != null) {
            used++;
            then.accept(s);
            return;
        }
        waiting.add(new Want(bytes, then));
        if (first || chunks < most) {
            chunks++;
            grow(bytes);
        }
    }

    private void grow(int bytes) {
        String name = "dma" + (worker == 0 ? "" : worker + ".") + chunks;
        long memory = node.allocate(name, chunkBytes, Allocation.Kind.BULK);
        endpoint.pd().regMr(memory, chunkBytes, ACCESS).whenDone(mr -> {
            Deque<Slice> of = free.computeIfAbsent(bytes, k -> new ArrayDeque<>());
            for (int at = 0; at + bytes <= chunkBytes; at += bytes) {
                of.add(new Slice(memory + at, bytes, mr));
                slices++;
            }
            node.worker(worker).post((a, b) -> serve(), 0, 0);
        });
    }

    private void serve() {
        for (int n = waiting.size(); n > 0; n--) {
            Want w = waiting.remove();
            take(w.bytes, w.then);
        }
    }

    /** Takes a slice back: nothing touches it any more. */
    public void give(Slice s) {
        used--;
        Deque<Slice> of = free.get(s.bytes());
        if (of != null) {
            of.add(s);
        }
        if (!waiting.isEmpty()) {
            node.worker(worker).post((a, b) -> serve(), 0, 0);
        }
    }

    /** Returns it for whoever looks whether all comes back. */
    public Pool pool() {
        return new Pool(node.number(), "slices of the DMA buffer", () -> slices - used, () -> slices);
    }

    /** Returns the slices that are in use. */
    public int used() {
        return used;
    }
}

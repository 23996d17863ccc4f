package dev.clockwire.storage.threefs.usrbio;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.meta.FileClient;
import dev.clockwire.storage.threefs.meta.Inode;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The daemon's end of a ring: takes submissions, has the storage client move the bytes from or to the application's registered buffer, and puts completions. It never takes
 * more than there are free completion slots. A depth above 0 makes it wait for that many at once, 0 takes what is there, below 0 up to that many after a wait.
 */
public final class RingDaemon {
    private static final int LINES = 2;

    private final Node node;
    private final FileClient files;
    private final Ior ring;
    private final RingMemory memory;
    private final MemoryRegion buffer;
    private final LongFunction<@Nullable Inode> inodes;
    private final int depth;
    private final long timeoutPs;
    private final Runnable completed;
    private final Map<Integer, Boolean> underWay = new TreeMap<>();
    private long waitingSince = -1;
    private long patience;
    private long batches;

    /**
     * Serves a ring.
     *
     * @param buffer the application's, registered by the daemon once
     * @param inodes finds a file by its number
     * @param depth see above
     * @param timeoutPs how long a depth below 0 waits
     * @param completed tells the application that something has ended: its semaphore
     */
    public RingDaemon(
            Node node,
            FileClient files,
            Ior ring,
            MemoryRegion buffer,
            LongFunction<@Nullable Inode> inodes,
            int depth,
            long timeoutPs,
            Runnable completed) {
        this.node = node;
        this.files = files;
        this.ring = ring;
        this.buffer = buffer;
        this.inodes = inodes;
        this.depth = depth;
        this.timeoutPs = timeoutPs;
        this.completed = completed;
        if (Math.abs((long) depth) > ring.layout().entries()) {
            throw new ConfigurationException(
                    "ring of " + ring.layout().entries() + " entries: batches of " + depth + " never come together");
        }
        memory = new RingMemory(node.worker(0).core().memory(), ring.base());
        ring.onSubmit(() ->
                node.worker(0).handOver(this::look, 0, 0, node.host().host().now()));
    }

    /** Returns how often it has taken something. */
    public long batches() {
        return batches;
    }

    private int between(int head, int tail) {
        int slots = ring.layout().slots();
        return (memory.get32(tail) - memory.get32(head) + slots) % slots;
    }

    private void look(long a, long b) {
        node.worker(0).core().charge(HostCost.CACHE_MISS, 1);
        int there = between(RingLayout.SQE_HEAD, RingLayout.SQE_TAIL);
        int room = ring.layout().entries() - between(RingLayout.CQE_HEAD, RingLayout.CQE_TAIL) - underWay.size();
        int n = Math.min(there, room);
        long now = node.worker(0).now();
        if (depth > 0) {
            n = n < depth ? 0 : depth;
        } else if (depth < 0 && n < -depth && n > 0) {
            waitingSince = waitingSince < 0 ? now : waitingSince;
            if (now - waitingSince < timeoutPs) {
                patience = patience == 0 ? node.worker(0).after(timeoutPs, this::look, 0, 0) : patience;
                return;
            }
        } else if (depth < 0) {
            n = Math.min(n, -depth);
        }
        waitingSince = -1;
        node.worker(0).cancel(patience);
        patience = 0;
        if (n == 0) {
            return;
        }
        batches++;
        int taken = n;
        files.together(() -> {
            for (int i = 0; i < taken; i++) {
                take();
            }
        });
        if (between(RingLayout.SQE_HEAD, RingLayout.SQE_TAIL) > 0) {
            node.worker(0).post(this::look, 0, 0);
        }
    }

    private void take() {
        RingLayout layout = ring.layout();
        node.worker(0).core().charge(HostCost.CACHE_MISS, LINES);
        int head = memory.get32(RingLayout.SQE_HEAD);
        int slot = memory.get32(layout.sqe(head));
        memory.put32(RingLayout.SQE_HEAD, (head + 1) % layout.slots());
        int at = layout.args(slot);
        long offset = memory.get64(at + 16);
        Inode file = inodes.apply(memory.get64(at + 24));
        long fileOffset = memory.get64(at + 32);
        long length = memory.get64(at + 40);
        long userdata = memory.get64(at + 48);
        boolean outside = offset < 0 || length < 1 || length > buffer.length() || offset > buffer.length() - length;
        underWay.put(slot, true);
        if (file == null || outside || fileOffset < 0) {
            end(slot, -1, userdata);
            return;
        }
        long va = buffer.address() + offset;
        if (ring.isForRead()) {
            files.read(file, fileOffset, va, (int) length, buffer, bytes -> end(slot, bytes, userdata));
        } else {
            files.write(file, fileOffset, va, (int) length, buffer, bytes -> end(slot, bytes, userdata));
        }
    }

    private void end(int slot, long result, long userdata) {
        RingLayout layout = ring.layout();
        underWay.remove(slot);
        node.worker(0).core().charge(HostCost.CACHE_MISS, LINES);
        int tail = memory.get32(RingLayout.CQE_TAIL);
        int at = layout.cqe(tail);
        memory.put32(at, slot);
        memory.put64(at + 8, result);
        memory.put64(at + 16, userdata);
        memory.put32(RingLayout.CQE_TAIL, (tail + 1) % layout.slots());
        completed.run();
        node.worker(0).post(this::look, 0, 0);
    }
}

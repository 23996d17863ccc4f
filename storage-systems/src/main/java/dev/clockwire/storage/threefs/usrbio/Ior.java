package dev.clockwire.storage.threefs.usrbio;

import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The application's end of a ring ({@code hf3fs_iorcreate4}, {@code hf3fs_prep_io}, {@code hf3fs_submit_ios}, {@code hf3fs_wait_for_ios}): it runs on a core of its own and pays
 * for every cache line and system call. A ring is for reading or for writing.
 */
public final class Ior {
    /** A batch's lines: arguments, submission and mark. */
    private static final int LINES = 3;

    private final CpuCore core;
    private final RingMemory memory;
    private final RingLayout layout;
    private final long base;
    private final boolean forRead;
    private final Deque<Integer> free = new ArrayDeque<>();
    private Runnable bell = () -> {};

    /** Takes a completion. */
    @FunctionalInterface
    public interface Reaped {
        /** One I/O has ended: bytes moved, or negative. */
        void reaped(long result, long userdata);
    }

    /**
     * Creates a ring in memory that application and daemon share.
     *
     * @param core the application's
     * @param entries that can be under way
     */
    public Ior(Node node, CpuCore core, int entries, boolean forRead) {
        this.core = core;
        this.forRead = forRead;
        layout = new RingLayout(entries);
        base = node.allocate("ior", layout.bytes(), Allocation.Kind.REAL);
        memory = new RingMemory(core.memory(), base);
        for (int i = 0; i < entries; i++) {
            free.add(i);
        }
    }

    /** Returns whether it is for reading. */
    public boolean isForRead() {
        return forRead;
    }

    RingLayout layout() {
        return layout;
    }

    long base() {
        return base;
    }

    void onSubmit(Runnable ring) {
        bell = ring;
    }

    /**
     * Prepares an I/O.
     *
     * @param bufferOffset in the registered buffer ({@code Iov})
     * @param file number of it
     * @return false if so many are under way that there is no slot
     */
    public boolean prep(long bufferOffset, long file, long offset, int length, long userdata) {
        Integer slot = free.poll();
        if (slot == null) {
            return false;
        }
        core.charge(HostCost.CACHE_MISS, LINES);
        int at = layout.args(slot);
        memory.put64(at + 16, bufferOffset);
        memory.put64(at + 24, file);
        memory.put64(at + 32, offset);
        memory.put64(at + 40, length);
        memory.put64(at + 48, userdata);
        int tail = memory.get32(RingLayout.SQE_TAIL);
        memory.put32(layout.sqe(tail), slot);
        memory.put64(layout.sqe(tail) + 8, userdata);
        memory.put32(RingLayout.SQE_TAIL, (tail + 1) % layout.slots());
        return true;
    }

    /** Tells the daemon that there is something: a semaphore is posted. It may have begun before. */
    public void submit() {
        core.charge(HostCost.SYSCALL, 1);
        bell.run();
    }

    /** Takes the completions that are there; returns how many. */
    public int reap(int most, Reaped taker) {
        int n = 0;
        while (n < most) {
            int head = memory.get32(RingLayout.CQE_HEAD);
            if (head == memory.get32(RingLayout.CQE_TAIL)) {
                break;
            }
            core.charge(HostCost.CACHE_MISS, 1);
            int at = layout.cqe(head);
            int slot = memory.get32(at);
            if (slot < 0 || slot >= layout.entries()) {
                throw new ConfigurationException(
                        core.name(), core.now(), "completion of slot " + slot + " of a ring of " + layout.entries());
            }
            long result = memory.get64(at + 8);
            long userdata = memory.get64(at + 16);
            memory.put32(RingLayout.CQE_HEAD, (head + 1) % layout.slots());
            free.add(slot);
            n++;
            taker.reaped(result, userdata);
        }
        return n;
    }

    /** Returns the slots that are free. */
    public int room() {
        return free.size();
    }
}

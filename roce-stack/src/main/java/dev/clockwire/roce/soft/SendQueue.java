package dev.clockwire.roce.soft;

import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.sim.mem.AddressSpace;
import org.jspecify.annotations.Nullable;

/**
 * Send work requests by index, counted from the creation or the last reset. A slot is free when a completion at or behind it was
 * polled.
 */
final class SendQueue {
    private final @Nullable SendWqe[] ring;
    private final int capacity;
    private final int mask;
    private long posted;
    /** Up to here the device knows of them. */
    private long rung;
    /** Up to here they are complete. */
    private long done;
    /** Up to here their slots are free. */
    private long freed;

    SendQueue(int capacity) {
        this.capacity = capacity;
        int size = Integer.highestOneBit(Math.max(1, capacity) * 2 - 1);
        mask = size - 1;
        ring = new SendWqe[size];
    }

    /** Returns how many more fit. */
    int space() {
        return capacity - (int) (posted - freed);
    }

    /** Returns the slots, a power of two. */
    int slots() {
        return ring.length;
    }

    void post(SendEntry wr, AddressSpace memory) {
        next().set(wr, posted, memory);
        posted++;
    }

    void postWait(long wrId, SoftCompletionQueue cq, long completions) {
        next().set(wrId, posted, cq, completions);
        posted++;
    }

    private SendWqe next() {
        int slot = (int) posted & mask;
        SendWqe wqe = ring[slot];
        if (wqe == null) {
            wqe = new SendWqe();
            ring[slot] = wqe;
        }
        return wqe;
    }

    long posted() {
        return posted;
    }

    long rung() {
        return rung;
    }

    void ring(long upTo) {
        rung = Math.max(rung, upTo);
    }

    @SuppressWarnings("NullAway") // every slot below posted was filled
    SendWqe get(long index) {
        return ring[(int) index & mask];
    }

    long done() {
        return done;
    }

    /** The oldest that was not complete is. */
    void complete() {
        done++;
    }

    /** A completion was polled. */
    void free(long index) {
        freed = Math.max(freed, index + 1);
    }

    /** Forgets everything. */
    void clear() {
        posted = 0;
        rung = 0;
        done = 0;
        freed = 0;
    }
}

package dev.clockwire.roce.soft;

import dev.clockwire.roce.verbs.ReceiveEntry;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Pool;
import org.jspecify.annotations.Nullable;

/**
 * Receive work requests in the order posted. One that was taken belongs to the queue pair that took it until it completes; its place is
 * free when its completion is polled.
 */
final class ReceiveQueue {
    /** Protection domain of the buffers. */
    final int pd;

    private final int capacity;
    private final @Nullable SoftSharedQueue shared;
    private final @Nullable ReceiveWqe[] ring;
    private final Pool<ReceiveWqe> pool = new Pool<>(ReceiveWqe::new);
    private long posted;
    private long rung;
    private long taken;
    private int outstanding;

    ReceiveQueue(int capacity, int pd, @Nullable SoftSharedQueue shared) {
        this.capacity = capacity;
        this.pd = pd;
        this.shared = shared;
        ring = new ReceiveWqe[Math.max(1, capacity)];
    }

    /** Tells whether other queue pairs take from it, too. */
    boolean isShared() {
        return shared != null;
    }

    /** Returns how many more fit. */
    int space() {
        return capacity - outstanding;
    }

    void post(ReceiveEntry wr) {
        ReceiveWqe wqe = pool.take();
        wqe.wrId = wr.wrId;
        wqe.sges.set(wr.sges());
        ring[(int) (posted++ % ring.length)] = wqe;
        outstanding++;
    }

    /** Lets the device see what was posted. */
    void ring() {
        rung = posted;
    }

    /** Returns how many wait to be taken. */
    int available() {
        return (int) (rung - taken);
    }

    /** Returns the one that comes next; there is one. */
    ReceiveWqe first() {
        ReceiveWqe wqe = ring[(int) (taken % ring.length)];
        if (wqe == null || taken == rung) {
            throw new InvariantViolation("no receive work request to take");
        }
        return wqe;
    }

    /** Takes the one that comes next; there is one. */
    ReceiveWqe take() {
        ReceiveWqe wqe = first();
        ring[(int) (taken++ % ring.length)] = null;
        if (shared != null) {
            shared.check();
        }
        return wqe;
    }

    /** One that was taken is complete. */
    void complete(ReceiveWqe wqe) {
        pool.give(wqe);
    }

    /** Its completion was polled. */
    void polled() {
        outstanding--;
    }

    /** Forgets everything that waits. */
    void clear() {
        rung = posted;
        while (taken < rung) {
            pool.give(take());
        }
        posted = 0;
        rung = 0;
        taken = 0;
        outstanding = 0;
    }
}

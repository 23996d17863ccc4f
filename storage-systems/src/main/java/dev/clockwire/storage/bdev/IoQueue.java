package dev.clockwire.storage.bdev;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** I/Os in order, open at both ends. */
final class IoQueue {
    private @Nullable BdevIo[] ring = new @Nullable BdevIo[16];
    private int head;
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    void addLast(BdevIo io) {
        grow();
        ring[head + count & ring.length - 1] = io;
        count++;
    }

    void addFirst(BdevIo io) {
        grow();
        head = head - 1 & ring.length - 1;
        ring[head] = io;
        count++;
    }

    BdevIo first() {
        BdevIo io = ring[head];
        if (count == 0 || io == null) {
            throw new InvariantViolation("the first I/O of an empty queue");
        }
        return io;
    }

    BdevIo removeFirst() {
        BdevIo io = first();
        ring[head] = null;
        head = head + 1 & ring.length - 1;
        count--;
        return io;
    }

    private void grow() {
        if (count == ring.length) {
            @Nullable BdevIo[] more = Arrays.copyOf(ring, 2 * count);
            System.arraycopy(ring, head, more, 0, count - head);
            System.arraycopy(ring, 0, more, count - head, head);
            Arrays.fill(more, count, more.length, null);
            ring = more;
            head = 0;
        }
    }
}

package dev.clockwire.nic.dma;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A growing ring of slots: the packets of one queue pair in the order in which they must leave. */
final class SlotQueue {
    private @Nullable TxSlot[] ring = new TxSlot[16];
    private int head;
    private int count;
    /** Messages of which all packets are in the queue with their payload. */
    int wholeMessages;

    int size() {
        return count;
    }

    void add(TxSlot slot) {
        if (count == ring.length) {
            @Nullable TxSlot[] grown = Arrays.copyOf(ring, 2 * count);
            for (int i = 0; i < count; i++) {
                grown[i] = ring[head + i & count - 1];
            }
            ring = grown;
            head = 0;
        }
        ring[head + count++ & ring.length - 1] = slot;
    }

    TxSlot get(int i) {
        return Objects.requireNonNull(ring[head + i & ring.length - 1]);
    }

    TxSlot remove() {
        TxSlot slot = Objects.requireNonNull(ring[head]);
        ring[head] = null;
        head = head + 1 & ring.length - 1;
        count--;
        return slot;
    }
}

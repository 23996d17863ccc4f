package dev.clockwire.nic.dma;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A growing ring of slots: the packets of one queue pair in the order in which they must leave. */
final class SlotQueue {
    private @Nullable TxSlot[] ring = new TxSlot[16];
    private int head;
    private int count;
    /** Packets at the front that have their payload, as far as {@link #advance} looked. */
    int complete;
    /** Messages that end in them. */
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

    /** Looks how far from the front on all packets have their payload. */
    void advance() {
        while (complete < count && get(complete).pending == 0) {
            wholeMessages += get(complete).last ? 1 : 0;
            complete++;
        }
    }

    TxSlot remove() {
        TxSlot slot = Objects.requireNonNull(ring[head]);
        if (complete > 0) {
            complete--;
            wholeMessages -= slot.last ? 1 : 0;
        }
        ring[head] = null;
        head = head + 1 & ring.length - 1;
        count--;
        return slot;
    }
}

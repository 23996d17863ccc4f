package dev.clockwire.roce.verbs;

import java.util.ArrayList;
import java.util.List;

/** A reusable list of receive work requests, posted together. Filling and posting it again allocates nothing. */
public final class ReceiveBatch {
    private final List<ReceiveEntry> entries = new ArrayList<>();
    private final int maxSge;
    private int size;

    /**
     * Creates an empty list.
     *
     * @param capacity work requests that fit without allocation
     * @param maxSge scatter/gather entries of each that fit without allocation
     */
    public ReceiveBatch(int capacity, int maxSge) {
        this.maxSge = maxSge;
        for (int i = 0; i < capacity; i++) {
            entries.add(new ReceiveEntry(maxSge));
        }
    }

    /** Empties the list. */
    public void clear() {
        size = 0;
    }

    /** Appends a receive of nothing and returns it, to be filled. */
    public ReceiveEntry add() {
        if (size == entries.size()) {
            entries.add(new ReceiveEntry(maxSge));
        }
        ReceiveEntry entry = entries.get(size++);
        entry.reset();
        return entry;
    }

    /** Appends a work request. */
    public void add(ReceiveWorkRequest wr) {
        add().set(wr);
    }

    /** Returns the work requests in the list. */
    public int size() {
        return size;
    }

    /** Returns a work request of the list. */
    public ReceiveEntry get(int index) {
        return entries.get(index);
    }
}

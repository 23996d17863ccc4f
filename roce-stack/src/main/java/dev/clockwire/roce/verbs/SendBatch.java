package dev.clockwire.roce.verbs;

import java.util.ArrayList;
import java.util.List;

/** A reusable list of send work requests, posted with one doorbell. Filling and posting it again allocates nothing. */
public final class SendBatch {
    private final List<SendEntry> entries = new ArrayList<>();
    private final int maxSge;
    private int size;

    /**
     * Creates an empty list.
     *
     * @param capacity work requests that fit without allocation
     * @param maxSge scatter/gather entries of each that fit without allocation
     */
    public SendBatch(int capacity, int maxSge) {
        this.maxSge = maxSge;
        for (int i = 0; i < capacity; i++) {
            entries.add(new SendEntry(maxSge));
        }
    }

    /** Empties the list. */
    public void clear() {
        size = 0;
    }

    /** Appends an unsignalled SEND of nothing and returns it, to be filled. */
    public SendEntry add() {
        if (size == entries.size()) {
            entries.add(new SendEntry(maxSge));
        }
        SendEntry entry = entries.get(size++);
        entry.reset();
        return entry;
    }

    /** Appends a work request. */
    public void add(SendWorkRequest wr) {
        add().set(wr);
    }

    /** Returns the work requests in the list. */
    public int size() {
        return size;
    }

    /** Returns a work request of the list. */
    public SendEntry get(int index) {
        return entries.get(index);
    }
}

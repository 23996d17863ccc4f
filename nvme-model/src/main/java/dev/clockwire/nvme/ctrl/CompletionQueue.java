package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayDeque;

/** Where completions are put for the host. One entry stays free, so that full and empty differ. */
final class CompletionQueue implements State {
    final int id;
    boolean live;
    long base;
    int size;
    int head;
    int tail;
    int phase;
    int vector;
    boolean interrupts;
    /** Submission queues that complete here. */
    int users;
    /** Slots of commands that are done and find no room. */
    final ArrayDeque<Integer> waiting = new ArrayDeque<>();

    CompletionQueue(int id) {
        this.id = id;
    }

    void open(long address, int entries, int messageVector, boolean wantsInterrupts) {
        live = true;
        base = address;
        size = entries;
        vector = messageVector;
        interrupts = wantsInterrupts;
        head = 0;
        tail = 0;
        phase = 1;
        users = 0;
        waiting.clear();
    }

    boolean isFull() {
        return (tail + 1) % size == head;
    }

    boolean isEmpty() {
        return tail == head;
    }

    /** Returns the address of the next entry, and moves on. */
    long next() {
        long at = base + (long) tail * CqEntry.BYTES;
        if (++tail == size) {
            tail = 0;
            phase ^= 1;
        }
        return at;
    }

    /** Whether a new head can be: inside the ring, at most as far as entries were put. */
    boolean accepts(int value) {
        int put = (tail - head + size) % size;
        return value < size && (value - head + size) % size <= put;
    }

    @Override
    public void save(Snapshot out) {
        out.putBoolean(live);
        out.putLong(base);
        out.putInt(size);
        out.putInt(head);
        out.putInt(tail);
        out.putInt(phase);
        out.putInt(vector);
        out.putBoolean(interrupts);
        out.putInt(users);
        out.putInt(waiting.size());
        waiting.forEach(out::putInt);
    }

    @Override
    public void load(Snapshot in) {
        live = in.getBoolean();
        base = in.getLong();
        size = in.getInt();
        head = in.getInt();
        tail = in.getInt();
        phase = in.getInt();
        vector = in.getInt();
        interrupts = in.getBoolean();
        users = in.getInt();
        waiting.clear();
        for (int n = in.getInt(); n > 0; n--) {
            waiting.add(in.getInt());
        }
    }
}

package dev.clockwire.nic.offload;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** Numbers in the order they came; at most so many. */
final class IntQueue implements State {
    private final int[] items;
    private int head;
    private int size;

    IntQueue(int capacity) {
        items = new int[capacity];
    }

    int capacity() {
        return items.length;
    }

    int size() {
        return size;
    }

    void add(int x) {
        items[(head + size) % items.length] = x;
        size++;
    }

    int first() {
        return items[head];
    }

    int remove() {
        int x = items[head];
        head = (head + 1) % items.length;
        size--;
        return x;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(size);
        for (int i = 0; i < size; i++) {
            out.putInt(items[(head + i) % items.length]);
        }
    }

    @Override
    public void load(Snapshot in) {
        head = 0;
        size = 0;
        for (int n = in.getInt(); n > 0; n--) {
            add(in.getInt());
        }
    }
}

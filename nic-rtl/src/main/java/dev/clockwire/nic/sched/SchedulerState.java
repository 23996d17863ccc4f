package dev.clockwire.nic.sched;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** Per send queue: what was announced, what was fetched, what is on its way; and the ring of queues with work. */
final class SchedulerState implements State {
    int[] producer = new int[16];
    int[] fetched = new int[16];
    int[] ahead = new int[16];
    boolean[] busy = new boolean[16];
    boolean[] record = new boolean[16];
    boolean[] whole = new boolean[16];
    boolean[] active = new boolean[16];
    private int[] ring = new int[16];
    private int head;
    int activeCount;

    /** Makes room for a queue's slot. */
    void ensure(int q) {
        if (q < producer.length) {
            return;
        }
        int n = Math.max(q + 1, 2 * producer.length);
        int[] grown = new int[n];
        for (int i = 0; i < activeCount; i++) {
            grown[i] = ring[(head + i) % ring.length];
        }
        ring = grown;
        head = 0;
        producer = Arrays.copyOf(producer, n);
        fetched = Arrays.copyOf(fetched, n);
        ahead = Arrays.copyOf(ahead, n);
        busy = Arrays.copyOf(busy, n);
        record = Arrays.copyOf(record, n);
        whole = Arrays.copyOf(whole, n);
        active = Arrays.copyOf(active, n);
    }

    void push(int q) {
        active[q] = true;
        int at = head + activeCount++;
        ring[at >= ring.length ? at - ring.length : at] = q;
    }

    int pop() {
        int q = ring[head];
        head = head + 1 == ring.length ? 0 : head + 1;
        activeCount--;
        active[q] = false;
        return q;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(producer.length);
        out.putInt(activeCount);
        for (int i = 0; i < activeCount; i++) {
            out.putInt(ring[(head + i) % ring.length]);
        }
        for (int q = 0; q < producer.length; q++) {
            out.putInt(producer[q]);
            out.putInt(fetched[q]);
            out.putInt(ahead[q]);
            out.putInt((busy[q] ? 1 : 0) | (record[q] ? 2 : 0) | (whole[q] ? 4 : 0));
        }
    }

    @Override
    public void load(Snapshot in) {
        int n = in.getInt();
        ensure(n - 1);
        int count = in.getInt();
        head = 0;
        activeCount = 0;
        Arrays.fill(active, false);
        for (int i = 0; i < count; i++) {
            push(in.getInt());
        }
        for (int q = 0; q < n; q++) {
            producer[q] = in.getInt();
            fetched[q] = in.getInt();
            ahead[q] = in.getInt();
            int flags = in.getInt();
            busy[q] = (flags & 1) != 0;
            record[q] = (flags & 2) != 0;
            whole[q] = (flags & 4) != 0;
        }
    }
}

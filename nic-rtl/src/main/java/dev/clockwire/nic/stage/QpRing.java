package dev.clockwire.nic.stage;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** Round robin over queues that have work: a queue stands in the ring once or not at all. */
public final class QpRing implements State {
    private int[] ring = new int[16];
    private boolean[] in = new boolean[16];
    private int head;
    private int count;

    /** Creates an empty ring. */
    public QpRing() {}

    /** Returns how many queues have work. */
    public int size() {
        return count;
    }

    /** Puts a queue at the end unless it is in already; tells whether it was not. */
    public boolean add(int q) {
        if (q >= in.length) {
            in = Arrays.copyOf(in, Math.max(q + 1, 2 * in.length));
        }
        if (in[q]) {
            return false;
        }
        in[q] = true;
        if (count == ring.length) {
            int[] grown = new int[2 * count];
            for (int i = 0; i < count; i++) {
                grown[i] = ring[(head + i) % count];
            }
            ring = grown;
            head = 0;
        }
        ring[(head + count++) % ring.length] = q;
        return true;
    }

    /** Takes the queue at the front out. */
    public int next() {
        int q = ring[head];
        head = head + 1 == ring.length ? 0 : head + 1;
        count--;
        in[q] = false;
        return q;
    }

    /** Returns the queue at place i, 0 being the front. */
    public int get(int i) {
        return ring[(head + i) % ring.length];
    }

    /** Empties the ring. */
    public void clear() {
        while (count > 0) {
            next();
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            out.putInt(get(i));
        }
    }

    @Override
    public void load(Snapshot in) {
        clear();
        for (int n = in.getInt(); n > 0; n--) {
            add(in.getInt());
        }
    }
}

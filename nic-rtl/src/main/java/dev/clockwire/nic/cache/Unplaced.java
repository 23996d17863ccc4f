package dev.clockwire.nic.cache;

import dev.clockwire.nic.context.BehindWrites;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** The queue pairs of a lane of which a write could not be translated: whatever comes behind says so, until they are reset. */
final class Unplaced implements State {
    private int[] qpns = new int[4];
    private int[] parts = new int[4];
    private boolean[] told = new boolean[4];
    private int count;

    private int find(int qpn) {
        for (int i = 0; i < count; i++) {
            if (qpns[i] == qpn) {
                return i;
            }
        }
        return -1;
    }

    /** Adds a queue pair; returns whether it is new. */
    boolean add(int qpn, int part) {
        if (find(qpn) >= 0) {
            return false;
        }
        if (count == qpns.length) {
            qpns = Arrays.copyOf(qpns, 2 * count);
            parts = Arrays.copyOf(parts, 2 * count);
            told = Arrays.copyOf(told, 2 * count);
        }
        qpns[count] = qpn;
        parts[count] = part;
        told[count++] = false;
        return true;
    }

    /** Lets a word leave the lane. */
    void pass(BehindWrites word) {
        int i = count == 0 ? -1 : find(word.queuePair());
        if (i < 0) {
            return;
        }
        if (word.isEnd()) {
            count--;
            qpns[i] = qpns[count];
            parts[i] = parts[count];
            told[i] = told[count];
        } else {
            word.unplaced(!told[i], parts[i]);
            told[i] = true;
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            out.putInt(qpns[i]);
            out.putInt(parts[i]);
            out.putBoolean(told[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        count = 0;
        for (int n = in.getInt(), i = 0; i < n; i++) {
            add(in.getInt(), in.getInt());
            told[i] = in.getBoolean();
        }
    }
}

package dev.clockwire.storage.check.monitor;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** Numbers chunks in the order in which they are first heard of; finds them again without objects. */
final class ChunkIndex implements State {
    private static final int FIRST_ROOM = 64;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private int count;
    private int[] chains = new int[FIRST_ROOM];
    private long[] keys = new long[FIRST_ROOM];
    private int[] table = new int[2 * FIRST_ROOM];

    int size() {
        return count;
    }

    int chain(int chunk) {
        return chains[chunk];
    }

    long key(int chunk) {
        return keys[chunk];
    }

    /** Returns the number of a chunk, a new one if it was never heard of. */
    int of(int chain, long key) {
        int at = slot(chain, key);
        if (table[at] != 0) {
            return table[at] - 1;
        }
        if (count == keys.length) {
            resize(2 * count);
            at = slot(chain, key);
        }
        chains[count] = chain;
        keys[count] = key;
        table[at] = ++count;
        return count - 1;
    }

    private int slot(int chain, long key) {
        long hash = (key * MIX ^ chain) * MIX;
        int at = (int) (hash >>> Integer.SIZE) & (table.length - 1);
        while (table[at] != 0 && (chains[table[at] - 1] != chain || keys[table[at] - 1] != key)) {
            at = (at + 1) & (table.length - 1);
        }
        return at;
    }

    private void resize(int room) {
        chains = Arrays.copyOf(chains, room);
        keys = Arrays.copyOf(keys, room);
        table = new int[2 * room];
        for (int chunk = 0; chunk < count; chunk++) {
            table[slot(chains[chunk], keys[chunk])] = chunk + 1;
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(keys.length);
        out.putInt(count);
        for (int chunk = 0; chunk < count; chunk++) {
            out.putInt(chains[chunk]);
            out.putLong(keys[chunk]);
        }
    }

    @Override
    public void load(Snapshot in) {
        count = 0;
        resize(in.getInt());
        int chunks = in.getInt();
        for (int chunk = 0; chunk < chunks; chunk++) {
            of(in.getInt(), in.getLong());
        }
    }
}

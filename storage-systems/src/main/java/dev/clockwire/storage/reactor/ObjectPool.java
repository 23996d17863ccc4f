package dev.clockwire.storage.reactor;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** A fixed number of objects that threads share, each with a cache that is filled when it is made. It counts; the objects are others'. */
public final class ObjectPool implements State {
    private final String name;
    private final int size;
    private int free;
    private long failures;

    /**
     * Creates a full pool.
     *
     * @param size 1 or more
     */
    public ObjectPool(String name, int size) {
        if (size < 1) {
            throw new ConfigurationException("pool " + name + " of " + size + " objects: must be 1 or more");
        }
        this.name = name;
        this.size = size;
        free = size;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the number of objects there are. */
    public int size() {
        return size;
    }

    /** Returns how many are neither in use nor in a cache. */
    public int free() {
        return free;
    }

    /** Returns how often there was none. */
    public long failures() {
        return failures;
    }

    /** Takes one from what is shared; returns whether there was one. */
    public boolean take() {
        if (free == 0) {
            failures++;
            return false;
        }
        free--;
        return true;
    }

    /** Gives one back to what is shared. */
    public void give() {
        free++;
    }

    /** Makes a cache for a thread and fills it with what there is. */
    public Cache cache(int room) {
        return new Cache(room);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(free);
        out.putLong(failures);
    }

    @Override
    public void load(Snapshot in) {
        free = in.getInt();
        failures = in.getLong();
    }

    /** What a thread keeps for itself. */
    public final class Cache implements State {
        private final int room;
        private int count;

        private Cache(int room) {
            this.room = room;
            count = Math.min(room, free);
            free -= count;
        }

        /** Returns how many are kept. */
        public int count() {
            return count;
        }

        /** Takes one, of the cache if it has any; returns whether there was one. */
        public boolean take() {
            if (count == 0) {
                return ObjectPool.this.take();
            }
            count--;
            return true;
        }

        /** Keeps one that is given back, or gives it to all if the cache is full. */
        public void give() {
            if (count < room) {
                count++;
            } else {
                ObjectPool.this.give();
            }
        }

        /** Gives all back, at a thread's end. */
        public void drain() {
            free += count;
            count = 0;
        }

        @Override
        public void save(Snapshot out) {
            out.putInt(count);
        }

        @Override
        public void load(Snapshot in) {
            count = in.getInt();
        }
    }
}

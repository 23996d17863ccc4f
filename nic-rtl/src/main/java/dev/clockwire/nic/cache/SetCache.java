package dev.clockwire.nic.cache;

import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The tags of a set-associative cache. Key k belongs to set k mod sets; within a set the tags stand in the order of their last use, so
 * one move gives both a hit and the next victim. With random replacement a full set gives up any of its tags. No data: who needs it
 * knows it from elsewhere.
 */
public final class SetCache implements State {
    private static final long NONE = -1;

    private final int ways;
    private final int mask;
    private final long[] tags;
    private final @Nullable RandomStream random;
    private long hits;
    private long misses;
    private long evictions;

    /** Creates an empty cache that replaces what was not used for longest. */
    public SetCache(CacheSpec spec) {
        this(spec, null);
    }

    /**
     * Creates an empty cache.
     *
     * @param random chooses what makes room; null: what was not used for longest
     */
    public SetCache(CacheSpec spec, @Nullable RandomStream random) {
        this.random = random;
        ways = spec.ways();
        mask = spec.sets() - 1;
        tags = new long[spec.entries()];
        Arrays.fill(tags, NONE);
    }

    /** Looks a key up, 0 or more; one that is there becomes the last used of its set. Counts a hit or a miss. */
    public boolean touch(long key) {
        int at = find(key);
        if (at < 0) {
            misses++;
            return false;
        }
        hits++;
        toFront(key, at);
        return true;
    }

    /** Whether a key is there; changes nothing. */
    public boolean holds(long key) {
        return find(key) >= 0;
    }

    /** Puts a key in as the last used of its set; in a full set it takes another one's place. */
    public void fill(long key) {
        int at = find(key);
        if (at < 0) {
            at = first(key) + ways - 1;
            if (tags[at] != NONE) {
                evictions++;
                at -= random == null ? 0 : random.below(ways);
            }
        }
        toFront(key, at);
    }

    /** Throws a key out, if it is there. */
    public void invalidate(long key) {
        int at = find(key);
        if (at >= 0) {
            int end = first(key) + ways - 1;
            System.arraycopy(tags, at + 1, tags, at, end - at);
            tags[end] = NONE;
        }
    }

    private int first(long key) {
        return ((int) key & mask) * ways;
    }

    private int find(long key) {
        int from = first(key);
        for (int i = from; i < from + ways; i++) {
            if (tags[i] == key) {
                return i;
            }
        }
        return -1;
    }

    private void toFront(long key, int at) {
        int from = first(key);
        System.arraycopy(tags, from, tags, from + 1, at - from);
        tags[from] = key;
    }

    /** Returns how many lookups found their key. */
    public long hits() {
        return hits;
    }

    /** Returns how many did not. */
    public long misses() {
        return misses;
    }

    /** Returns how many keys were replaced. */
    public long evictions() {
        return evictions;
    }

    @Override
    public void save(Snapshot out) {
        out.putLongs(tags);
        out.putLong(hits);
        out.putLong(misses);
        out.putLong(evictions);
    }

    @Override
    public void load(Snapshot in) {
        in.getLongs(tags);
        hits = in.getLong();
        misses = in.getLong();
        evictions = in.getLong();
    }
}

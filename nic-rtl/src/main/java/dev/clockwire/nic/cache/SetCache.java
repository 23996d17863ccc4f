package dev.clockwire.nic.cache;

import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.sim.mem.SetTags;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/**
 * A set-associative cache of table entries, of which it has only the keys, and how often they were there. Key k belongs to set k mod sets.
 */
public final class SetCache implements State {
    private final SetTags tags;
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
        tags = new SetTags(spec.entries(), spec.ways(), 0, random);
    }

    /** Looks a key up, 0 or more; one that is there becomes the last used of its set. Counts a hit or a miss. */
    public boolean touch(long key) {
        boolean there = tags.touch(key);
        hits += there ? 1 : 0;
        misses += there ? 0 : 1;
        return there;
    }

    /** Whether a key is there; changes nothing. */
    public boolean holds(long key) {
        return tags.holds(key);
    }

    /** Puts a key in as the last used of its set; in a full set it takes another one's place. */
    public void fill(long key) {
        evictions += tags.fill(key) ? 1 : 0;
    }

    /** Throws a key out, if it is there. */
    public void invalidate(long key) {
        tags.remove(key);
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
        tags.save(out);
        out.putLong(hits);
        out.putLong(misses);
        out.putLong(evictions);
    }

    @Override
    public void load(Snapshot in) {
        tags.load(in);
        hits = in.getLong();
        misses = in.getLong();
        evictions = in.getLong();
    }
}

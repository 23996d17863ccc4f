package dev.clockwire.sim.mem;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The tags of a set-associative memory: 0 or more, and without data, which who asks knows from elsewhere. Within a set they stand in the order
 * of their last use, so one move gives both a hit and the next victim. With random replacement a full set gives up any of its tags.
 */
public final class SetTags implements State {
    private static final long NONE = -1;

    private final int ways;
    private final int mask;
    private final int shift;
    private final long[] tags;
    private final @Nullable RandomStream random;

    /**
     * Creates an empty memory.
     *
     * @param entries tags of all sets, a power of two times the ways
     * @param ways tags of one set
     * @param shift low bits of a tag that do not choose its set; the next ones do
     * @param random chooses what makes room; null: what was not used for longest
     */
    public SetTags(int entries, int ways, int shift, @Nullable RandomStream random) {
        this.ways = ways;
        this.shift = shift;
        this.random = random;
        mask = entries / ways - 1;
        tags = new long[entries];
        clear();
    }

    /** Looks a tag up; one that is there becomes the last used of its set. */
    public boolean touch(long tag) {
        int at = find(tag);
        if (at < 0) {
            return false;
        }
        toFront(tag, at);
        return true;
    }

    /** Whether a tag is there; changes nothing. */
    public boolean holds(long tag) {
        return find(tag) >= 0;
    }

    /** Puts a tag in as the last used of its set; returns whether another one had to go. */
    public boolean fill(long tag) {
        int at = find(tag);
        boolean evicts = false;
        if (at < 0) {
            at = first(tag) + ways - 1;
            evicts = tags[at] != NONE;
            if (evicts && random != null) {
                at -= random.below(ways);
            }
        }
        toFront(tag, at);
        return evicts;
    }

    /** Throws a tag out, if it is there. */
    public void remove(long tag) {
        int at = find(tag);
        if (at >= 0) {
            int end = first(tag) + ways - 1;
            System.arraycopy(tags, at + 1, tags, at, end - at);
            tags[end] = NONE;
        }
    }

    /** Throws some tags out. */
    public void removeIf(LongPredicate goes) {
        for (int from = 0; from < tags.length; from += ways) {
            int kept = from;
            for (int i = from; i < from + ways; i++) {
                if (tags[i] != NONE && !goes.test(tags[i])) {
                    tags[kept++] = tags[i];
                }
            }
            Arrays.fill(tags, kept, from + ways, NONE);
        }
    }

    /** Throws all tags out. */
    public void clear() {
        Arrays.fill(tags, NONE);
    }

    private int first(long tag) {
        return ((int) (tag >>> shift) & mask) * ways;
    }

    private int find(long tag) {
        int from = first(tag);
        for (int i = from; i < from + ways; i++) {
            if (tags[i] == tag) {
                return i;
            }
        }
        return -1;
    }

    private void toFront(long tag, int at) {
        int from = first(tag);
        System.arraycopy(tags, from, tags, from + 1, at - from);
        tags[from] = tag;
    }

    @Override
    public void save(Snapshot out) {
        out.putLongs(tags);
    }

    @Override
    public void load(Snapshot in) {
        in.getLongs(tags);
    }
}

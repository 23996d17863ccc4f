package dev.clockwire.pcie.iommu;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/**
 * The translations that are at hand, least recently used out first. Pages of all sizes share the sets; a page's number within its size
 * chooses the set. Within a set the tags stand in the order of their last use.
 */
public final class Iotlb implements State {
    private static final long NONE = -1;
    private static final int SIZE_BITS = 2;

    private final int ways;
    private final int mask;
    private final long[] tags;

    /** Creates an empty one of a number of entries, in sets of a number of ways; the number of sets is a power of two. */
    public Iotlb(int entries, int ways) {
        this.ways = ways;
        mask = entries / ways - 1;
        tags = new long[entries];
        Arrays.fill(tags, NONE);
    }

    /** Returns the tag of the page of a size that an address lies in. */
    public static long tag(long va, PageSize size) {
        return va >>> size.shift() << SIZE_BITS | size.code();
    }

    /** Returns the first address of a tag's page. */
    static long start(long tag) {
        return tag >>> SIZE_BITS << PageSize.of((int) tag & 3).shift();
    }

    /** Looks a page up; one that is there becomes the last used of its set. */
    public boolean touch(long tag) {
        int from = first(tag);
        for (int i = from; i < from + ways; i++) {
            if (tags[i] == tag) {
                toFront(tag, i, from);
                return true;
            }
        }
        return false;
    }

    /** Puts a page in, in the place of the one that was not used for longest; returns whether that one was in use. */
    public boolean fill(long tag) {
        if (touch(tag)) {
            return false;
        }
        int from = first(tag);
        boolean evicts = tags[from + ways - 1] != NONE;
        toFront(tag, from + ways - 1, from);
        return evicts;
    }

    /** Throws out every page that touches a range. */
    public void invalidate(long va, long length) {
        for (int from = 0; from < tags.length; from += ways) {
            int kept = from;
            for (int i = from; i < from + ways; i++) {
                if (tags[i] == NONE || !touches(tags[i], va, length)) {
                    tags[kept++] = tags[i];
                }
            }
            Arrays.fill(tags, kept, from + ways, NONE);
        }
    }

    /** Throws everything out. */
    public void clear() {
        Arrays.fill(tags, NONE);
    }

    /** Returns whether the page of a tag touches a range. */
    public static boolean touches(long tag, long va, long length) {
        long start = start(tag);
        return start < va + length && va < start + PageSize.of((int) tag & 3).bytes();
    }

    private int first(long tag) {
        return ((int) (tag >>> SIZE_BITS) & mask) * ways;
    }

    private void toFront(long tag, int at, int from) {
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

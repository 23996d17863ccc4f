package dev.clockwire.pcie.iommu;

import dev.clockwire.sim.mem.SetTags;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * The translations that are at hand, least recently used out first. Pages of all sizes share the sets; a page's number within its size
 * chooses the set.
 */
public final class Iotlb implements State {
    private static final int SIZE_BITS = 2;

    private final SetTags tags;

    /** Creates an empty one of a number of entries, in sets of a number of ways; the number of sets is a power of two. */
    public Iotlb(int entries, int ways) {
        tags = new SetTags(entries, ways, SIZE_BITS, null);
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
        return tags.touch(tag);
    }

    /** Puts a page in, in the place of the one that was not used for longest; returns whether that one was in use. */
    public boolean fill(long tag) {
        return tags.fill(tag);
    }

    /** Throws out every page that touches a range. */
    public void invalidate(long va, long length) {
        tags.removeIf(tag -> touches(tag, va, length));
    }

    /** Throws everything out. */
    public void clear() {
        tags.clear();
    }

    /** Returns whether the page of a tag touches a range. */
    public static boolean touches(long tag, long va, long length) {
        long start = start(tag);
        return start < va + length && va < start + PageSize.of((int) tag & 3).bytes();
    }

    @Override
    public void save(Snapshot out) {
        tags.save(out);
    }

    @Override
    public void load(Snapshot in) {
        tags.load(in);
    }
}

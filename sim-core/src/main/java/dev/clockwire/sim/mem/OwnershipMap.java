package dev.clockwire.sim.mem;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Who owns which bytes, now and before: disjoint sections in the order of their addresses, each with its open owners and its last ones. */
final class OwnershipMap {
    /** Changes of owner that a section remembers. */
    static final int HISTORY = 8;

    /** Sections above which those without an owner are joined with their neighbours; their histories become one. */
    private static final int MANY = 1 << 14;

    private Section[] sections = new Section[16];
    private int count;
    private int mergeAt = MANY;

    /** Bytes with the same owners. */
    static final class Section {
        long start;
        long end;
        Ownership[] open = new Ownership[1];
        int opened;
        /** The last owners that it got, the newest first. */
        final @Nullable Ownership[] past = new Ownership[HISTORY];
        /** The last grant that ended. */
        @Nullable
        Ownership lastGrant;

        Section(long start, long end) {
            this.start = start;
            this.end = end;
        }

        /** Cuts the part from an address on off. */
        Section cut(long at) {
            Section right = new Section(at, end);
            right.open = open.clone();
            right.opened = opened;
            System.arraycopy(past, 0, right.past, 0, HISTORY);
            right.lastGrant = lastGrant;
            end = at;
            return right;
        }

        void begin(Ownership o) {
            if (opened == open.length) {
                open = Arrays.copyOf(open, 2 * opened);
            }
            open[opened++] = o;
            System.arraycopy(past, 0, past, 1, HISTORY - 1);
            past[0] = o;
        }

        void end(Ownership o) {
            for (int i = 0; i < opened; i++) {
                if (open[i] == o) {
                    System.arraycopy(open, i + 1, open, i, --opened - i);
                    break;
                }
            }
            if (o.hold.isGrant()) {
                lastGrant = o;
            }
        }
    }

    int count() {
        return count;
    }

    Section get(int i) {
        return sections[i];
    }

    /** Returns the first section that ends after an address, {@link #count} if there is none. */
    int firstEndingAfter(long va) {
        int low = 0;
        int high = count;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (sections[mid].end > va) {
                high = mid;
            } else {
                low = mid + 1;
            }
        }
        return low;
    }

    /** Gives a range to another owner beside those it has. */
    void begin(Ownership o, long va, long len) {
        long end = va + len;
        long at = va;
        int i = firstEndingAfter(va);
        split(i, va);
        i = firstEndingAfter(va);
        while (at < end) {
            if (i == count || sections[i].start > at) {
                long stop = i == count ? end : Math.min(end, sections[i].start);
                insert(i, new Section(at, stop));
            } else {
                split(i, end);
            }
            sections[i].begin(o);
            at = sections[i++].end;
        }
        if (count > mergeAt) {
            merge();
        }
    }

    /** Takes a range from one of its owners. */
    void end(Ownership o, long va, long len) {
        for (int i = firstEndingAfter(va); i < count && sections[i].start < va + len; i++) {
            sections[i].end(o);
        }
    }

    private void split(int i, long at) {
        if (i < count && sections[i].start < at && at < sections[i].end) {
            insert(i + 1, sections[i].cut(at));
        }
    }

    private void insert(int i, Section s) {
        if (count == sections.length) {
            sections = Arrays.copyOf(sections, 2 * count);
        }
        System.arraycopy(sections, i, sections, i + 1, count++ - i);
        sections[i] = s;
    }

    /** Joins neighbours that nobody owns and that had the same last grant: the older history of the second is lost. */
    private void merge() {
        int kept = 0;
        for (int i = 1; i < count; i++) {
            Section a = sections[kept];
            Section b = sections[i];
            if (a.opened == 0 && b.opened == 0 && a.end == b.start && a.lastGrant == b.lastGrant) {
                a.end = b.end;
            } else {
                sections[++kept] = b;
            }
        }
        Arrays.fill(sections, kept + 1, count, null);
        count = kept + 1;
        mergeAt = Math.max(MANY, 2 * count);
    }
}

package dev.clockwire.storage.check.verbs;

import java.util.Arrays;

/** The receives of one queue that are posted and have not come back, by the numbers that the program gave them: open addressing, since every message takes one. */
final class Receives {
    private static final int FIRST = 64;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private long[] ids = new long[FIRST];
    private boolean[] used = new boolean[FIRST];
    private int count;
    /** Posted while another of the same number was. */
    private int doubles;

    private int home(long id) {
        return (int) ((id * SPREAD) >>> Integer.SIZE) & (ids.length - 1);
    }

    private int place(long id) {
        int at = home(id);
        while (used[at] && ids[at] != id) {
            at = (at + 1) & (ids.length - 1);
        }
        return at;
    }

    int count() {
        return count + doubles;
    }

    /** Posts one; returns false if one of this number is posted already. */
    boolean add(long id) {
        if (2 * (count + 1) > ids.length) {
            grow();
        }
        int at = place(id);
        if (used[at]) {
            doubles++;
            return false;
        }
        ids[at] = id;
        used[at] = true;
        count++;
        return true;
    }

    private void grow() {
        long[] old = ids;
        boolean[] was = used;
        ids = new long[2 * old.length];
        used = new boolean[ids.length];
        for (int i = 0; i < old.length; i++) {
            if (was[i]) {
                int at = place(old[i]);
                ids[at] = old[i];
                used[at] = true;
            }
        }
    }

    /** One has come back; returns false if none of this number was posted. */
    boolean remove(long id) {
        int at = place(id);
        if (!used[at]) {
            boolean second = doubles > 0;
            doubles -= second ? 1 : 0;
            return second;
        }
        count--;
        int mask = ids.length - 1;
        int hole = at;
        for (int i = (at + 1) & mask; used[i]; i = (i + 1) & mask) {
            boolean stays = ((i - home(ids[i])) & mask) < ((i - hole) & mask);
            if (!stays) {
                ids[hole] = ids[i];
                hole = i;
            }
        }
        used[hole] = false;
        return true;
    }

    void clear() {
        Arrays.fill(used, false);
        count = 0;
        doubles = 0;
    }
}

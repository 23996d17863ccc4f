package dev.clockwire.nic.lab;

import dev.clockwire.roce.transport.Psn;
import java.util.Arrays;

/** The READs of one direction of a connection whose answers have not come, oldest first. One that is asked for again, whole or the rest of it, is the same. */
final class WireReads {
    private int[] psns = new int[16];
    private long[] ends = new long[16];
    private int count;

    void clear() {
        count = 0;
    }

    /**
     * A request leaves; returns how many are under way now.
     *
     * @param end address behind the last byte that it asks for
     */
    int left(int psn, long end) {
        for (int i = 0; i < count; i++) {
            if (ends[i] == end && Psn.compare(psns[i], psn) <= 0) {
                return count;
            }
        }
        if (count == psns.length) {
            psns = Arrays.copyOf(psns, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        int at = count++;
        for (;
                at > 0 && Psn.compare(psns[at - 1], psn) > 0;
                at--) { // one whose answer was lost on the way to a later one's
            psns[at] = psns[at - 1];
            ends[at] = ends[at - 1];
        }
        psns[at] = psn;
        ends[at] = end;
        return count;
    }

    /** The last packet of an answer has come: those that were asked for up to there are answered. */
    void answered(int psn) {
        int n = 0;
        while (n < count && Psn.compare(psns[n], psn) <= 0) {
            n++;
        }
        count -= n;
        System.arraycopy(psns, n, psns, 0, count);
        System.arraycopy(ends, n, ends, 0, count);
    }
}

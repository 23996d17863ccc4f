package dev.clockwire.nvme.driver;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * Identifiers of the commands of a queue pair: the tag in the low bits, above it a generation that changes each time the tag is used, as in Linux
 * ({@code nvme_genctr}). A completion that names an earlier use of a tag, because it came twice or was seen before it was whole, thus ends nothing.
 *
 * <p>Linux counts 16 generations. Here they run from 1 to the largest number that has no divisor in common with the ring's entries: what a place of
 * the completion ring held one lap ago is then never of the same generation when commands take turns, and no identifier is that of a ring of zeros,
 * or FFFFh, which the error log uses for "none".
 */
final class CommandIds implements State {
    private static final int CID_BITS = 16;
    /** Bits of the generation, less if the ring has more than 4096 entries. */
    private static final int MOST_BITS = 4;

    private final int shift;
    private final int generations;
    private final byte[] generation;
    private final boolean[] used;

    /** Creates the identifiers of a ring, none of them in use. */
    CommandIds(int entries) {
        shift = Math.max(CID_BITS - MOST_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(entries - 1));
        generations = generations((1 << (CID_BITS - shift)) - 2, entries);
        generation = new byte[entries];
        used = new boolean[entries];
    }

    private static int generations(int most, int entries) {
        int n = most;
        while (n > 1 && divisor(n, entries) > 1) {
            n--;
        }
        return n;
    }

    private static int divisor(int a, int b) {
        return b == 0 ? a : divisor(b, a % b);
    }

    /** Returns how many uses of a tag have different identifiers; 0 or 1 if there is no room for a generation. */
    int generations() {
        return generations;
    }

    /** Whether a tag is there and free. */
    boolean isFree(int tag) {
        return tag >= 0 && tag < used.length && !used[tag];
    }

    /** Uses a tag; returns the command's identifier. */
    int take(int tag) {
        used[tag] = true;
        if (generations > 0) {
            generation[tag] = (byte) (generation[tag] >= generations ? 1 : generation[tag] + 1);
        }
        return cid(tag);
    }

    /** Returns the identifier of the last command that used a tag. */
    int cid(int tag) {
        return generation[tag] << shift | tag;
    }

    /** Returns the tag of an identifier; it may be none of this ring. */
    int tag(int cid) {
        return cid & ((1 << shift) - 1);
    }

    /** Whether a tag is there and in use, be it by this command or another one. */
    boolean isUsed(int tag) {
        return tag < used.length && used[tag];
    }

    /** Frees a tag. */
    void free(int tag) {
        used[tag] = false;
    }

    @Override
    public void save(Snapshot out) {
        for (int i = 0; i < used.length; i++) {
            out.putBoolean(used[i]);
            out.putInt(generation[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        for (int i = 0; i < used.length; i++) {
            used[i] = in.getBoolean();
            generation[i] = (byte) in.getInt();
        }
    }
}

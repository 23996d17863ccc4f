package dev.clockwire.nvme.media;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/**
 * Where each page lies, and what it costs a unit to make room: when it has too few free blocks, the one with the fewest valid pages is taken
 * (greedy), these are read and programmed anew in the same unit, and the block is erased.
 */
final class FlashMap implements State {
    private static final int NOWHERE = -1;
    private static final int LAPS = 3;

    private final GcSpec spec;
    private final int units;
    private final int blocks;
    private final int pagesOfUnit;
    private final int[] placeOf;
    private final int[] pageAt;
    private final int[] valid;
    private final boolean[] free;
    private final int[] active;
    private final int[] cursor;
    private final int[] freeCount;
    private long written;
    private long moved;
    private long erased;

    FlashMap(GcSpec spec, int units) {
        this.spec = spec;
        this.units = units;
        blocks = spec.blocks(units);
        pagesOfUnit = blocks * spec.blockPages();
        long all = (long) pagesOfUnit * units;
        if (all > 1 << 28) {
            throw new ConfigurationException("garbage collection of " + all + " pages: at most " + (1 << 28));
        }
        placeOf = new int[spec.pages()];
        pageAt = new int[(int) all];
        valid = new int[blocks * units];
        free = new boolean[blocks * units];
        active = new int[units];
        cursor = new int[units];
        freeCount = new int[units];
        Arrays.fill(placeOf, NOWHERE);
        Arrays.fill(pageAt, NOWHERE);
        Arrays.fill(free, true);
        for (int u = 0; u < units; u++) {
            active[u] = u * blocks;
            free[active[u]] = false;
            freeCount[u] = blocks - 1;
        }
        if (spec.steady()) {
            age();
        }
    }

    /** Writes everything once in order, then at random until blocks are as mixed as they will be. */
    private void age() {
        int n = placeOf.length;
        for (int i = 0; i < n; i++) {
            write(i % units, i);
        }
        RandomStream random = RandomStream.named(n, "flash.age");
        for (long i = 0; i < (long) LAPS * n; i++) {
            write((int) (i % units), random.below(n));
        }
        for (int u = 0; u < units; u++) { // units do not run out of room all at once
            for (int i = random.below(spec.blockPages()); i > 0; i--) {
                write(u, random.below(n));
            }
        }
        forget();
    }

    /** Counts anew. */
    void forget() {
        written = 0;
        moved = 0;
        erased = 0;
    }

    /** Returns the page of an address. */
    int page(long address) {
        return (int) (address / GcSpec.PAGE % placeOf.length);
    }

    /** Returns the unit that holds a page, -1 if it was never written. */
    int unitOf(int page) {
        return placeOf[page] == NOWHERE ? NOWHERE : placeOf[page] / pagesOfUnit;
    }

    /** A unit programs a page; returns how many valid pages had to be moved and blocks erased, as pages + 2^32 x erasures. */
    long write(int unit, int page) {
        written++;
        long cost = freeCount[unit] < spec.freeBlocks() ? collect(unit) : 0;
        put(unit, page);
        return cost;
    }

    private void put(int unit, int page) {
        int old = placeOf[page];
        if (old != NOWHERE) {
            pageAt[old] = NOWHERE;
            valid[old / spec.blockPages()]--;
        }
        if (cursor[unit] == spec.blockPages()) {
            open(unit);
        }
        int place = active[unit] * spec.blockPages() + cursor[unit]++;
        placeOf[page] = place;
        pageAt[place] = page;
        valid[active[unit]]++;
    }

    private void open(int unit) {
        int first = unit * blocks;
        for (int b = first; b < first + blocks; b++) {
            if (free[b]) {
                free[b] = false;
                freeCount[unit]--;
                active[unit] = b;
                cursor[unit] = 0;
                return;
            }
        }
        throw new ConfigurationException("a unit of flash is full: more than 20 permille must be spare");
    }

    private long collect(int unit) {
        long cost = 0;
        while (freeCount[unit] < spec.freeBlocks()) {
            int victim = victim(unit);
            int at = victim * spec.blockPages();
            int live = valid[victim];
            if (live == spec.blockPages()) {
                return cost; // nothing to be had
            }
            for (int i = at; i < at + spec.blockPages(); i++) {
                if (pageAt[i] != NOWHERE) {
                    put(unit, pageAt[i]);
                }
            }
            free[victim] = true;
            freeCount[unit]++;
            moved += live;
            erased++;
            cost += live + (1L << Integer.SIZE);
        }
        return cost;
    }

    private int victim(int unit) {
        int first = unit * blocks;
        int best = NOWHERE;
        for (int b = first; b < first + blocks; b++) {
            if (!free[b] && b != active[unit] && (best == NOWHERE || valid[b] < valid[best])) {
                best = b;
            }
        }
        return best;
    }

    /** Returns pages programmed over pages written, 1 if none was. */
    double amplification() {
        return written == 0 ? 1 : (double) (written + moved) / written;
    }

    /** Returns the blocks erased. */
    long erased() {
        return erased;
    }

    /** Checks that both directions of the map agree. */
    boolean isConsistent() {
        int live = 0;
        for (int p = 0; p < placeOf.length; p++) {
            if (placeOf[p] != NOWHERE) {
                live++;
                if (pageAt[placeOf[p]] != p) {
                    return false;
                }
            }
        }
        return Arrays.stream(valid).sum() == live;
    }

    @Override
    public void save(Snapshot out) {
        for (int[] a : new int[][] {placeOf, pageAt, valid, active, cursor, freeCount}) {
            for (int x : a) {
                out.putInt(x);
            }
        }
        for (boolean b : free) {
            out.putBoolean(b);
        }
        out.putLong(written);
        out.putLong(moved);
        out.putLong(erased);
    }

    @Override
    public void load(Snapshot in) {
        for (int[] a : new int[][] {placeOf, pageAt, valid, active, cursor, freeCount}) {
            for (int i = 0; i < a.length; i++) {
                a[i] = in.getInt();
            }
        }
        for (int i = 0; i < free.length; i++) {
            free[i] = in.getBoolean();
        }
        written = in.getLong();
        moved = in.getLong();
        erased = in.getLong();
    }
}

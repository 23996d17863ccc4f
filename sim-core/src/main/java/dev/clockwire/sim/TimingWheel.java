package dev.clockwire.sim;

import dev.clockwire.sim.state.Token;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchical timing wheel. A time, counted in slots of 2^shift ps, is read as digits; an event lies at the level of the highest
 * digit in which it differs from the open slot, in the list of that digit. Lists have no order: only the events of the open slot are
 * ordered, in a small heap. Opening a slot of a higher level spreads its list over the lower ones. The slot width follows the measured
 * density, about two events a slot.
 *
 * <p>Invariants: the heap holds every event of the open slot and before; the open slot is never later than the time being simulated,
 * or later inserts would all land in the heap; and the open slot never moves into a block whose list was not spread, or events of
 * that block would be overtaken.
 */
final class TimingWheel extends EventQueue {
    private static final int MIN_SHIFT = 3;
    private static final int MAX_SHIFT = 12;
    private static final int TUNE_EVERY = 1 << 14;

    private final int bits;
    private final int slots;
    private final int levels;
    private final Graveyard graveyard;

    private final int[][] heads;
    private final long[][] occupied;
    private final long[][] summary;
    // the lowest level, which most events go through, without an array of arrays
    private final int[] nearHeads;
    private final long[] nearOccupied;
    private final long[] nearSummary;
    private final SlotHeap heap = new SlotHeap();
    /** Slots are 2^shift ps wide. */
    int shift = MAX_SHIFT;

    private long open;

    // four longs a row, side by side in one cache line: time, key, a, b
    private long[] rows = new long[4 << 10];
    private int[] links = new int[1 << 10];
    private @Nullable Token[] tokens = new @Nullable Token[1 << 10];
    private int free = -1;
    private int used;

    private long fired;
    private long firedAtTune;
    private long timeAtTune;
    private long firedAtRebuild;

    TimingWheel(int bits, Graveyard graveyard) {
        this.bits = bits;
        this.graveyard = graveyard;
        slots = 1 << bits;
        levels = (63 - MIN_SHIFT + bits - 1) / bits;
        heads = new int[levels][slots];
        occupied = new long[levels][(slots + 63) / 64];
        summary = new long[levels][(slots + 4095) / 4096];
        for (int[] h : heads) {
            Arrays.fill(h, -1);
        }
        nearHeads = heads[0];
        nearOccupied = occupied[0];
        nearSummary = summary[0];
    }

    @Override
    void insert(long now, long at, long key, long a, long b, @Nullable Token token) {
        int e = free;
        if (e >= 0) {
            free = links[e];
        } else {
            e = used++;
            if (e == links.length) {
                grow();
            }
        }
        long k = key;
        if (token != null) {
            tokens[e] = token;
            k |= HAS_TOKEN;
        }
        long[] r = rows;
        int i = e << 2;
        r[i] = at;
        r[i + 1] = k;
        r[i + 2] = a;
        r[i + 3] = b;
        size++;
        if (now >>> shift > open && now < bound) {
            catchUp(now);
        }
        if (at < bound) {
            bound = at;
        }
        place(e, at, k);
    }

    /** Nothing is due up to now (edges ran without events): moves the open slot to now, so that new events lie low in the hierarchy. */
    private void catchUp(long now) {
        long slot = now >>> shift;
        if ((slot ^ open) >= slots) {
            next(now);
        }
        if (slot > open && heap.isEmpty() && slot < bound >>> shift) {
            open = slot;
        }
    }

    private void place(int e, long at, long key) {
        long slot = at >>> shift;
        if (slot <= open) {
            heap.push(at, key, e);
            return;
        }
        long differs = slot ^ open;
        if (differs >= slots) {
            placeFar(e, slot, differs);
            return;
        }
        int digit = (int) slot & (slots - 1);
        int word = digit >> 6;
        int[] head = nearHeads;
        links[e] =
                head[digit]; // no question whether the list is empty: a branch on loaded data costs as much as the miss
        head[digit] = e;
        nearOccupied[word] |= 1L << digit;
        nearSummary[word >> 6] |= 1L << word;
    }

    private void placeFar(int e, long slot, long differs) {
        int level = (63 - Long.numberOfLeadingZeros(differs)) / bits;
        int digit = (int) (slot >>> (level * bits)) & (slots - 1);
        int word = digit >> 6;
        links[e] = heads[level][digit];
        heads[level][digit] = e;
        occupied[level][word] |= 1L << digit;
        summary[level][word >> 6] |= 1L << word;
    }

    @Override
    long next(long limit) {
        while (heap.isEmpty()) {
            int digit = afterNear((int) open & (slots - 1));
            if (digit < 0) {
                if (!openFar(limit)) {
                    return Long.MAX_VALUE;
                }
                continue;
            }
            long start = (open & -slots) | digit;
            long from = start << shift;
            if (from > limit) {
                bound = from;
                return Long.MAX_VALUE;
            }
            open = start;
            openNear(digit);
        }
        long top = heap.top();
        bound = top;
        return top <= limit ? top : Long.MAX_VALUE;
    }

    /** As {@link #after} for the lowest level. */
    private int afterNear(int digit) {
        int word = digit >> 6;
        long hit = nearOccupied[word] & (-2L << digit);
        if (hit != 0) {
            return (word << 6) | Long.numberOfTrailingZeros(hit);
        }
        long words = nearSummary[word >> 6] & (-2L << word);
        if (words != 0) {
            word = (word & -64) | Long.numberOfTrailingZeros(words);
            return (word << 6) | Long.numberOfTrailingZeros(nearOccupied[word]);
        }
        return after(0, digit);
    }

    /** Moves the events of a slot of the lowest level into the heap. */
    private void openNear(int digit) {
        int word = digit >> 6;
        long rest = nearOccupied[word] & ~(1L << digit);
        nearOccupied[word] = rest;
        if (rest == 0) {
            nearSummary[word >> 6] &= ~(1L << word);
        }
        int e = nearHeads[digit];
        nearHeads[digit] = -1;
        long[] r = rows;
        while (e >= 0) {
            heap.push(r[e << 2], r[(e << 2) + 1], e);
            e = links[e];
        }
    }

    /** Opens the first occupied slot above the lowest level, if it starts at {@code limit} or before. */
    private boolean openFar(long limit) {
        for (int level = 1; level < levels; level++) {
            int digit = after(level, (int) (open >>> (level * bits)) & (slots - 1));
            if (digit >= 0) {
                int above = (level + 1) * bits;
                long start = ((above < 64 ? (open >>> above) << bits : 0) | digit) << (level * bits);
                if (start << shift > limit) {
                    bound = start << shift;
                    return false;
                }
                open = start;
                spread(level, digit);
                return true;
            }
        }
        bound = Long.MAX_VALUE;
        return false;
    }

    /** Returns the first occupied digit of a level beyond the given one, -1 if there is none. */
    private int after(int level, int digit) {
        long[] map = occupied[level];
        int word = digit >> 6;
        long hit = map[word] & (-2L << digit);
        if (hit == 0) {
            long[] sum = summary[level];
            int top = word >> 6;
            long words = sum[top] & (-2L << word);
            while (words == 0) {
                if (++top == sum.length) {
                    return -1;
                }
                words = sum[top];
            }
            word = (top << 6) | Long.numberOfTrailingZeros(words);
            hit = map[word];
        }
        return (word << 6) | Long.numberOfTrailingZeros(hit);
    }

    /** Spreads the list of a digit above the lowest level over the levels below. */
    private void spread(int level, int digit) {
        int word = digit >> 6;
        long[] map = occupied[level];
        long rest = map[word] & ~(1L << digit);
        map[word] = rest;
        if (rest == 0) {
            summary[level][word >> 6] &= ~(1L << word);
        }
        int[] head = heads[level];
        int e = head[digit];
        head[digit] = -1;
        long[] r = rows;
        while (e >= 0) {
            int following = links[e];
            place(e, r[e << 2], r[(e << 2) + 1]);
            e = following;
        }
    }

    @Override
    long openTop() {
        return heap.isEmpty() ? Long.MAX_VALUE : heap.top();
    }

    @Override
    int pop() {
        int e = heap.pop();
        size--;
        bound = heap.isEmpty() ? 0 : heap.top(); // 0: unknown, next() will look
        links[e] = free;
        free = e;
        if ((++fired & (TUNE_EVERY - 1)) == 0) {
            tune(rows[e << 2]);
        }
        return e;
    }

    @Override
    long key(int e) {
        return rows[(e << 2) + 1];
    }

    @Override
    long a(int e) {
        return rows[(e << 2) + 2];
    }

    @Override
    long b(int e) {
        return rows[(e << 2) + 3];
    }

    @Override
    @Nullable
    Token token(int e) {
        Token t = tokens[e];
        tokens[e] = null;
        return t;
    }

    private void grow() {
        int n = 2 * links.length;
        rows = Arrays.copyOf(rows, 4 * n);
        links = Arrays.copyOf(links, n);
        tokens = Arrays.copyOf(tokens, n);
    }

    /** Chooses the slot width from events per ps and buries the dead; nothing that order depends on changes. */
    private void tune(long now) {
        long elapsed = now - timeAtTune;
        long events = fired - firedAtTune;
        timeAtTune = now;
        firedAtTune = fired;
        boolean bury = dead > 64 && dead > size / 2;
        int wanted = 63 - Long.numberOfLeadingZeros(Math.max(1, 2 * elapsed / events));
        wanted = Math.max(MIN_SHIFT, Math.min(MAX_SHIFT, wanted));
        boolean widen = Math.abs(wanted - shift) >= 2 && size <= 4 * (fired - firedAtRebuild);
        if (bury || widen) {
            rebuild(now, widen ? wanted : shift);
        }
    }

    private void rebuild(long now, int newShift) {
        int[] all = drain();
        firedAtRebuild = fired;
        shift = newShift;
        open = now >>> newShift;
        for (int e : all) {
            long at = rows[e << 2];
            long key = rows[(e << 2) + 1];
            if (graveyard.isDead(at, key)) {
                links[e] = free;
                free = e;
                size--;
            } else {
                place(e, at, key);
            }
        }
        dead = 0;
        bound = 0;
    }

    /** Takes all rows out of the heap and the lists. */
    private int[] drain() {
        int[] all = new int[size];
        int n = heap.drain(all, 0);
        for (int level = 0; level < levels; level++) {
            for (int digit = after(level, 0);
                    digit >= 0;
                    digit = after(level, digit)) { // an event lies beyond the open digit
                for (int e = heads[level][digit]; e >= 0; e = links[e]) {
                    all[n++] = e;
                }
            }
            Arrays.fill(heads[level], -1);
            Arrays.fill(occupied[level], 0);
            Arrays.fill(summary[level], 0);
        }
        return all;
    }

    @Override
    void each(Visitor v) {
        long[] r = rows;
        for (int e : drain()) {
            int i = e << 2;
            v.event(r[i], r[i + 1], r[i + 2], r[i + 3], tokens[e]);
            place(e, r[i], r[i + 1]);
        }
        bound = 0;
    }

    @Override
    void clear() {
        for (int e : drain()) {
            tokens[e] = null;
            links[e] = free;
            free = e;
        }
        size = 0;
        dead = 0;
        open = 0;
        bound = Long.MAX_VALUE;
        timeAtTune = 0;
    }
}

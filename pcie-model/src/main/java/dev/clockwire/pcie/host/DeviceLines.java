package dev.clockwire.pcie.host;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/**
 * The lines of device writes in the last-level cache, least recently written out first, and which ones were pushed out since: those are
 * in memory, and would be in the cache if there had been room.
 */
final class DeviceLines implements State {
    private static final long NONE = -1;
    private static final int SHIFT = 6;
    private static final int GHOSTS = 1 << 16;

    private final int ways;
    private final int mask;
    private final long[] tags;
    private final long[] gone = new long[GHOSTS];
    private long readHits;
    private long readMisses;
    private long pushedOut;

    DeviceLines(DdioSpec spec) {
        ways = spec.ways();
        mask = spec.sets() - 1;
        tags = new long[spec.sets() * ways];
        Arrays.fill(tags, NONE);
        Arrays.fill(gone, NONE);
    }

    /** A device writes a range. */
    void write(long va, int bytes) {
        for (long line = va >>> SHIFT; line <= (va + bytes - 1) >>> SHIFT; line++) {
            put(line);
        }
    }

    private void put(long line) {
        if (ways == 0) {
            gone[ghost(line)] = line;
            return;
        }
        int from = ((int) line & mask) * ways;
        int at = from;
        while (at < from + ways - 1 && tags[at] != line) {
            at++;
        }
        long out = tags[at];
        if (out != line && out != NONE) {
            pushedOut++;
            gone[ghost(out)] = out;
        }
        System.arraycopy(tags, from, tags, from + 1, at - from);
        tags[from] = line;
        if (gone[ghost(line)] == line) {
            gone[ghost(line)] = NONE;
        }
    }

    /** Returns whether all lines of a range are there, as a device reads it. */
    boolean read(long va, int bytes) {
        boolean all = true;
        for (long line = va >>> SHIFT; line <= (va + Math.max(1, bytes) - 1) >>> SHIFT; line++) {
            all &= holds(line);
        }
        if (all) {
            readHits++;
        } else {
            readMisses++;
        }
        return all;
    }

    private boolean holds(long line) {
        int from = ((int) line & mask) * ways;
        for (int i = from; i < from + ways; i++) {
            if (tags[i] == line) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a line of a range was written by a device and has no room in the cache (any more). */
    boolean lost(long va, int bytes) {
        for (long line = va >>> SHIFT; line <= (va + Math.max(1, bytes) - 1) >>> SHIFT; line++) {
            if (gone[ghost(line)] == line) {
                return true;
            }
        }
        return false;
    }

    private static int ghost(long line) {
        return (int) line & GHOSTS - 1;
    }

    long readHits() {
        return readHits;
    }

    long readMisses() {
        return readMisses;
    }

    long pushedOut() {
        return pushedOut;
    }

    @Override
    public void save(Snapshot out) {
        out.putLongs(tags);
        out.putLongs(gone);
        out.putLong(readHits);
        out.putLong(readMisses);
        out.putLong(pushedOut);
    }

    @Override
    public void load(Snapshot in) {
        in.getLongs(tags);
        in.getLongs(gone);
        readHits = in.getLong();
        readMisses = in.getLong();
        pushedOut = in.getLong();
    }
}

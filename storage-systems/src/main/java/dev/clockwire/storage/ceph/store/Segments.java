package dev.clockwire.storage.ceph.store;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Space of a disk in segments that are only appended to; one is free again when nothing in it lives, and nobody reads from it any more. */
final class Segments {
    /** One segment in so many is kept free by cleaning. */
    private static final int RESERVE = 8;

    private final String name;
    private final long bytes;
    private final int[] live;
    private final long[] liveBytes;
    private final int[] readers;
    private final Deque<Integer> free = new ArrayDeque<>();
    private int open = -1;
    private long at;

    Segments(String name, long diskBytes, long segmentBytes) {
        this.name = name;
        bytes = segmentBytes;
        int n = (int) (diskBytes / segmentBytes);
        live = new int[n];
        liveBytes = new long[n];
        readers = new int[n];
    }

    /** Something that a restart has found lives here. */
    void found(long where, int length) {
        live[of(where)]++;
        liveBytes[of(where)] += length;
    }

    /** Lists what is free, once everything is found. */
    void begin() {
        for (int i = 0; i < live.length; i++) {
            if (live[i] == 0) {
                free.add(i);
            }
        }
    }

    int of(long where) {
        return (int) (where / bytes);
    }

    /** Returns whether so many bytes need another segment than the open one. */
    boolean needsNext(int length) {
        return open < 0 || at + length > bytes;
    }

    /** Returns the bytes that can be written at once behind something of a length, and with it. */
    long room(int length) {
        return needsNext(length) ? bytes : bytes - at;
    }

    /** Returns where so many bytes go, one behind the other; none of them lives yet, but the segment is not given away. */
    long append(int length) {
        if (needsNext(length)) {
            close();
            Integer next = free.poll();
            if (next == null || length > bytes) {
                throw new ConfigurationException(name + " is full: no segment of " + bytes + " B for " + length + " B");
            }
            open = next;
            at = 0;
        }
        long where = open * bytes + at;
        at += length;
        return where;
    }

    private void close() {
        int was = open;
        open = -1;
        if (was >= 0) {
            release(was);
        }
    }

    /** Something lives here from now on. */
    void alive(long where, int length) {
        found(where, length);
    }

    /** Something lives no more. */
    void dead(long where, int length) {
        int i = of(where);
        live[i]--;
        liveBytes[i] -= length;
        release(i);
    }

    /** Somebody reads here, or writes what is to live here. */
    void pin(long where) {
        readers[of(where)]++;
    }

    void unpin(long where) {
        int i = of(where);
        readers[i]--;
        release(i);
    }

    private void release(int i) {
        if (live[i] == 0 && readers[i] == 0 && i != open && !free.contains(i)) {
            free.add(i);
        }
    }

    int free() {
        return free.size();
    }

    /** Returns how many are to be free. */
    int reserve() {
        return Math.max(2, live.length / RESERVE);
    }

    /** Returns the closed segment in which the fewest bytes live, -1 if in all of them more than nine tenths do. */
    int leastLive() {
        int best = -1;
        for (int i = 0; i < live.length; i++) {
            boolean candidate = i != open && live[i] > 0 && liveBytes[i] < bytes - bytes / 10;
            if (candidate && (best < 0 || liveBytes[i] < liveBytes[best])) {
                best = i;
            }
        }
        return best;
    }
}

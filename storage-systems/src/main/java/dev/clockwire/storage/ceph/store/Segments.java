package dev.clockwire.storage.ceph.store;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Space of a disk in segments that are only appended to; one is free again when nothing in it lives. */
final class Segments {
    private final String name;
    private final long bytes;
    private final int[] live;
    private final Deque<Integer> free = new ArrayDeque<>();
    private int open = -1;
    private long at;

    Segments(String name, long diskBytes, long segmentBytes) {
        this.name = name;
        bytes = segmentBytes;
        live = new int[(int) (diskBytes / segmentBytes)];
    }

    /** Something that a restart has found lives here. */
    void found(long where) {
        live[(int) (where / bytes)]++;
    }

    /** Lists what is free, once everything is found. */
    void begin() {
        for (int i = 0; i < live.length; i++) {
            if (live[i] == 0) {
                free.add(i);
            }
        }
    }

    /** Returns where so many bytes go, one behind the other; they count as so many things that live. */
    long append(int length, int things) {
        if (open < 0 || at + length > bytes) {
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
        live[open] += things;
        return where;
    }

    private void close() {
        if (open >= 0 && live[open] == 0) {
            free.add(open);
        }
        open = -1;
    }

    /** Something lives no more. */
    void dead(long where) {
        int i = (int) (where / bytes);
        live[i]--;
        if (live[i] == 0 && i != open) {
            free.add(i);
        }
    }

    int free() {
        return free.size();
    }
}

package dev.clockwire.nic.lab;

import dev.clockwire.roce.transport.Psn;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The requests that reach one queue pair: what is new, and what is on its way with which depth. */
final class WireStream {
    static final int SEND = 0;
    static final int WRITE = 1;
    static final int READ = 2;
    private static final int FIRST = 8;

    /** Requests in the other direction of the connection; null until the connection was seen to be made. */
    @Nullable
    WireStream peer;

    private int next;
    private boolean begun;
    private int depth;
    private int[] psns = new int[FIRST];
    private int[] depths = new int[FIRST];
    private int[] kinds = new int[FIRST];
    private int size;

    /** A connection is made anew: its numbers begin anywhere. */
    void restart() {
        begun = false;
        size = 0;
    }

    /** Takes a packet that leaves; returns whether it leaves for the first time. */
    boolean isNew(int psn) {
        if (begun && Psn.compare(psn, next) < 0) {
            return false;
        }
        begun = true;
        next = Psn.plus(psn, 1);
        return true;
    }

    void begins(int atDepth) {
        depth = atDepth;
    }

    /** A message has left with this packet. */
    void ends(int psn, int kind) {
        if (size == psns.length) {
            psns = Arrays.copyOf(psns, 2 * size);
            depths = Arrays.copyOf(depths, 2 * size);
            kinds = Arrays.copyOf(kinds, 2 * size);
        }
        psns[size] = psn;
        depths[size] = depth;
        kinds[size++] = kind;
    }

    /** Returns the depth of the message that ended with a packet, 0 if it is not known. */
    int depthOf(int psn) {
        for (int i = 0; i < size; i++) {
            if (psns[i] == psn && kinds[i] != READ) {
                return depths[i];
            }
        }
        return 0;
    }

    /** Everything up to a number is acknowledged; returns the depth of the deepest WRITE among it, 0 if there is none. */
    int acknowledged(int psn) {
        int deepest = 0;
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (kinds[i] == READ || Psn.compare(psns[i], psn) > 0) {
                keep(kept++, i);
            } else if (kinds[i] == WRITE) {
                deepest = Math.max(deepest, depths[i]);
            }
        }
        size = kept;
        return deepest;
    }

    /** The answer to the oldest READ is complete; returns the READ's depth, 0 if none is known. */
    int answered() {
        int found = 0;
        int kept = 0;
        boolean gone = false;
        for (int i = 0; i < size; i++) {
            if (!gone && kinds[i] == READ) {
                gone = true;
                found = depths[i];
            } else {
                keep(kept++, i);
            }
        }
        size = kept;
        return found;
    }

    private void keep(int to, int from) {
        psns[to] = psns[from];
        depths[to] = depths[from];
        kinds[to] = kinds[from];
    }
}

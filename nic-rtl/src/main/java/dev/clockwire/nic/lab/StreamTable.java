package dev.clockwire.nic.lab;

import org.jspecify.annotations.Nullable;

/** Streams by a number, made when they are asked for first: open addressing, since every frame asks. */
final class StreamTable {
    private static final int FIRST = 64;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private long[] keys = new long[FIRST];
    private @Nullable WireStream[] streams = new WireStream[FIRST];
    private int size;

    StreamTable() {}

    WireStream of(long key) {
        int at = place(keys, streams, key);
        WireStream found = streams[at];
        if (found != null) {
            return found;
        }
        if (2 * (size + 1) > keys.length) {
            grow();
            at = place(keys, streams, key);
        }
        WireStream made = new WireStream();
        keys[at] = key;
        streams[at] = made;
        size++;
        return made;
    }

    private static int place(long[] keys, @Nullable WireStream[] streams, long key) {
        int mask = keys.length - 1;
        int at = (int) ((key * SPREAD) >>> 32) & mask;
        while (streams[at] != null && keys[at] != key) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void grow() {
        long[] wider = new long[2 * keys.length];
        @Nullable WireStream[] moved = new WireStream[2 * keys.length];
        for (int i = 0; i < keys.length; i++) {
            WireStream s = streams[i];
            if (s != null) {
                int at = place(wider, moved, keys[i]);
                wider[at] = keys[i];
                moved[at] = s;
            }
        }
        keys = wider;
        streams = moved;
    }
}

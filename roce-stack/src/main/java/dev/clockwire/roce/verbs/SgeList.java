package dev.clockwire.roce.verbs;

import java.util.Arrays;
import java.util.List;

/** A reusable scatter/gather list: local memory in the order of the message. */
public final class SgeList {
    private long[] address;
    private long[] length;
    private int[] lkey;
    private int count;

    SgeList(int capacity) {
        address = new long[capacity];
        length = new long[capacity];
        lkey = new int[capacity];
    }

    /** Empties the list. */
    public void clear() {
        count = 0;
    }

    /** Appends a piece of local memory; {@code bytes} of 0 to 2^31. */
    public void add(long va, long bytes, int key) {
        if (count == address.length) {
            int larger = 2 * count + 1;
            address = Arrays.copyOf(address, larger);
            length = Arrays.copyOf(length, larger);
            lkey = Arrays.copyOf(lkey, larger);
        }
        address[count] = va;
        length[count] = bytes;
        lkey[count++] = key;
    }

    /** Appends a piece of local memory. */
    public void add(ScatterGather sge) {
        add(sge.address(), sge.length(), sge.lkey());
    }

    void set(List<ScatterGather> list) {
        clear();
        for (int i = 0; i < list.size(); i++) {
            add(list.get(i));
        }
    }

    /** Returns the pieces. */
    public int count() {
        return count;
    }

    /** Returns the first byte of a piece. */
    public long address(int i) {
        return address[i];
    }

    /** Returns the bytes of a piece. */
    public long length(int i) {
        return length[i];
    }

    /** Returns the local key of a piece. */
    public int lkey(int i) {
        return lkey[i];
    }

    /** Returns the first piece whose length is outside of 0 to 2^31, -1 if there is none. */
    int badPiece() {
        for (int i = 0; i < count; i++) {
            if (length[i] < 0 || length[i] > ScatterGather.MAX_LENGTH) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the bytes of all pieces. */
    public long totalLength() {
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += length[i];
        }
        return total;
    }
}

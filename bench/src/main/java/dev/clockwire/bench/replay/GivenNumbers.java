package dev.clockwire.bench.replay;

import dev.clockwire.roce.verbs.Numbering;
import java.util.HashSet;
import java.util.Set;

/** Gives a device the numbers of a capture, each just before it is asked for, and free ones for what no capture knows. */
final class GivenNumbers implements Numbering {
    private static final int VARIANT_BITS = 8;

    private final Set<Integer> usedIndices = new HashSet<>();
    private int qpn;
    private int key;
    /** Downwards from the last index: captures use the others. */
    private int free = 1 << 24;

    GivenNumbers() {}

    void giveQpn(int number) {
        qpn = number;
    }

    void giveKey(int number) {
        key = number;
        usedIndices.add(number >>> VARIANT_BITS);
    }

    /** Lets the next key be one that no capture has used so far. */
    void giveFreeKey() {
        do {
            free--;
        } while (!usedIndices.add(free));
        key = free << VARIANT_BITS;
    }

    @Override
    public int nextQpn() {
        return qpn;
    }

    @Override
    public int nextKey() {
        return key;
    }
}

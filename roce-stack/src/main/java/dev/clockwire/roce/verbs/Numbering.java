package dev.clockwire.roce.verbs;

/**
 * Who chooses the numbers of queue pairs, the keys of memory, and where connections begin to count. A device asks once for each queue pair, region and window, in
 * the order in which they are created; an answer that is in use already fails the verb with EINVAL.
 */
public interface Numbering {
    /** First number of {@link #counting}: 0 and 1 are the management queue pairs. */
    int FIRST_QPN = 0x11;

    /** Returns the number of the next queue pair, 24 bits. */
    int nextQpn();

    /** Returns the key of the next memory region or window: an index above an 8-bit variant. */
    int nextKey();

    /**
     * Returns the first PSN that a connection manager on the device proposes to the other side, 24 bits.
     *
     * @param drawn what chance has chosen
     */
    default int firstPsn(int drawn) {
        return drawn;
    }

    /** Returns numbers that count up: queue pairs from {@link #FIRST_QPN}, key indices from 1. */
    static Numbering counting() {
        return new CountedNumbers(new int[0], new int[0]);
    }

    /**
     * Returns given numbers, for a replay or a peer that knows them already; behind the last of them, numbers that count up and
     * leave out the given ones.
     */
    static Numbering given(int[] qpns, int[] keys) {
        return new CountedNumbers(qpns.clone(), keys.clone());
    }
}

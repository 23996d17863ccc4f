package dev.clockwire.nic.send;

/**
 * The notice that a UC or UD message has left: QPN + 1 in bits 63:40, entry in bits 39:0. 0 means no message ends with this
 * packet.
 */
public final class SentWord {
    private static final int SHIFT = 40;

    private SentWord() {}

    static long of(int qpn, long entry) {
        return (long) (qpn + 1) << SHIFT | entry;
    }

    static int qpn(long word) {
        return (int) (word >>> SHIFT) - 1;
    }

    static long entry(long word) {
        return word & (1L << SHIFT) - 1;
    }
}

package dev.clockwire.roce.wire;

/** The ones' complement sum of the Internet protocols. */
final class Checksum {
    private Checksum() {}

    /** Returns the folded sum of the 16-bit words of a range; an odd last byte counts as the upper half of a word. */
    static int ofWords(byte[] b, int from, int length) {
        return fold(sum(b, from, length));
    }

    /** Returns the unfolded sum, to be added to others. */
    static long sum(byte[] b, int from, int length) {
        long sum = 0;
        int at = from;
        int end = from + length;
        for (; at + 4 <= end; at += 4) {
            sum += Bytes.get32(b, at) & 0xFFFF_FFFFL;
        }
        if (at + 2 <= end) {
            sum += Bytes.get16(b, at);
            at += 2;
        }
        return at < end ? sum + (Bytes.get8(b, at) << 8) : sum;
    }

    /** Folds a sum to 16 bits. */
    static int fold(long sum) {
        long folded = (sum & 0xFFFF_FFFFL) + (sum >>> 32);
        while (folded > 0xFFFF) {
            folded = (folded & 0xFFFF) + (folded >>> 16);
        }
        return (int) folded;
    }
}

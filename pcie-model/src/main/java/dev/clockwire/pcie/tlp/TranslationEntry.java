package dev.clockwire.pcie.tlp;

/**
 * The 8 bytes that say where a page is, as Address Translation Services have them: what completes a translation request, and with an
 * untranslated address what an invalidate request takes back. They travel with the most significant byte first.
 *
 * <p>A page of more than 4 KB has the S bit, and its size in the address bits that it does not need: those from 12 on are ones up to the
 * one of half the size, which is zero.
 */
public final class TranslationEntry {
    /** Length in bytes. */
    public static final int BYTES = 8;
    /** The page may be read. */
    public static final long READ = 1;
    /** The page may be written. */
    public static final long WRITE = 2;

    private static final long SIZE = 1 << 11;
    private static final int SMALLEST = 12;

    private TranslationEntry() {}

    /**
     * Returns the entry of a page.
     *
     * @param address any address in the page
     * @param shift binary logarithm of the page's size, 12 to 63
     * @param rights {@link #READ}, {@link #WRITE}, both or 0
     */
    public static long of(long address, int shift, long rights) {
        long page = address & -1L << shift;
        if (shift == SMALLEST) {
            return page | rights;
        }
        long ones = (1L << (shift - 1)) - (1L << SMALLEST);
        return page | ones | SIZE | rights;
    }

    /** Returns the binary logarithm of the page's size. */
    public static int shift(long entry) {
        return (entry & SIZE) == 0 ? SMALLEST : SMALLEST + 1 + Long.numberOfTrailingZeros(~(entry >>> SMALLEST));
    }

    /** Returns the first address of the page. */
    public static long address(long entry) {
        return entry & -1L << shift(entry);
    }

    /** Returns whether the page may be read and written; without either there is no page. */
    public static boolean isMapped(long entry) {
        return (entry & (READ | WRITE)) == (READ | WRITE);
    }

    /** Writes the 8 bytes. */
    public static void put(long entry, byte[] to, int at) {
        for (int i = 0; i < BYTES; i++) {
            to[at + i] = (byte) (entry >>> (8 * (BYTES - 1 - i)));
        }
    }

    /** Reads 8 bytes. */
    public static long get(byte[] from, int at) {
        long x = 0;
        for (int i = 0; i < BYTES; i++) {
            x = x << 8 | (from[at + i] & 0xff);
        }
        return x;
    }
}

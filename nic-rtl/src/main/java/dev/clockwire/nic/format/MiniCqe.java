package dev.clockwire.nic.format;

import java.util.Arrays;

/**
 * Several completions in two entries, as mlx5 has it: a title entry of format 3, whose byte count says how many there are and whose other
 * fields are those of all, and behind it an array of eight small entries. The completions count as so many entries of the ring; of their
 * places only the first two are written. A small entry has 8 bytes: WQE counter, WQE opcode of a send, a reserved byte, byte count.
 */
public final class MiniCqe {
    /** Small entries of an array. */
    public static final int MOST = 8;

    private static final int BYTES = 8;
    private static final int FORMAT_SHIFT = 2;
    private static final int FORMAT = 3;
    private static final int COMPRESSED = 3;
    private static final int LAST = Cqe.BYTES - 1;

    private MiniCqe() {}

    /** Makes a title of an entry. */
    public static void title(byte[] cqe, int count) {
        Bytes.putInt(cqe, 44, count);
        cqe[LAST] |= COMPRESSED << FORMAT_SHIFT;
    }

    /** Whether an entry is a title. */
    public static boolean isTitle(byte[] cqe) {
        return (cqe[LAST] >>> FORMAT_SHIFT & FORMAT) == COMPRESSED;
    }

    /** Empties an array. */
    public static void clear(byte[] array) {
        Arrays.fill(array, 0, Cqe.BYTES, (byte) 0);
    }

    /** Writes a small entry into an array. */
    public static void put(byte[] array, int i, int wqeCounter, int sendOpcode, int byteCount) {
        Bytes.putShort(array, i * BYTES, wqeCounter);
        array[i * BYTES + 2] = (byte) sendOpcode;
        Bytes.putInt(array, i * BYTES + 4, byteCount);
    }

    /**
     * Makes a whole entry of a title and a small one.
     *
     * @param out may be the title itself
     * @param owner owner bit of its place in the ring
     */
    public static void expand(byte[] title, byte[] array, int i, boolean owner, byte[] out) {
        System.arraycopy(title, 0, out, 0, Cqe.BYTES);
        Bytes.putInt(out, 44, Bytes.getInt(array, i * BYTES + 4));
        out[56] = array[i * BYTES + 2];
        Bytes.putShort(out, 60, Bytes.getShort(array, i * BYTES));
        out[LAST] = (byte) ((title[LAST] & 0xF0) | (owner ? 1 : 0));
    }
}

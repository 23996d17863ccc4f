package dev.clockwire.sim.state;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A recording of state as a sequence of longs, bytes and tokens, read back in the order written. Tokens are copied on the way in and
 * on the way out, so one snapshot can be restored many times.
 */
public final class Snapshot {
    private static final long MIX = 0xBF58476D1CE4E5B9L;

    private final boolean copyTokens;
    private long[] longs = new long[256];
    private int longCount;
    private int longNext;
    private @Nullable Token[] tokens = new @Nullable Token[16];
    private int tokenCount;
    private int tokenNext;

    /** Creates an empty snapshot. */
    public Snapshot() {
        this(true);
    }

    private Snapshot(boolean copyTokens) {
        this.copyTokens = copyTokens;
    }

    /** Returns a snapshot that holds tokens by reference: good for {@link #digest}, not for loading. */
    public static Snapshot forDigest() {
        return new Snapshot(false);
    }

    /** Forgets everything, keeps the memory. */
    public void clear() {
        longCount = 0;
        longNext = 0;
        Arrays.fill(tokens, 0, tokenCount, null);
        tokenCount = 0;
        tokenNext = 0;
    }

    /** Reading starts again at the first value. */
    public void rewind() {
        longNext = 0;
        tokenNext = 0;
    }

    /** Appends a value. */
    public void putLong(long x) {
        if (longCount == longs.length) {
            longs = Arrays.copyOf(longs, 2 * longCount);
        }
        longs[longCount++] = x;
    }

    /** Reads the next value. */
    public long getLong() {
        if (longNext >= longCount) {
            throw new InvariantViolation("a State loads more than it saved");
        }
        return longs[longNext++];
    }

    /** Appends a value. */
    public void putInt(int x) {
        putLong(x);
    }

    /** Reads the next value. */
    public int getInt() {
        return Math.toIntExact(getLong());
    }

    /** Appends a value. */
    public void putBoolean(boolean x) {
        putLong(x ? 1 : 0);
    }

    /** Reads the next value. */
    public boolean getBoolean() {
        return getLong() != 0;
    }

    /** Appends all elements, without the length. */
    public void putLongs(long[] x) {
        for (long v : x) {
            putLong(v);
        }
    }

    /** Fills the array with the next values. */
    public void getLongs(long[] x) {
        for (int i = 0; i < x.length; i++) {
            x[i] = getLong();
        }
    }

    /** Appends bytes, eight to a value, without the length. */
    public void putBytes(byte[] x, int off, int len) {
        for (int i = 0; i < len; i += 8) {
            long v = 0;
            for (int k = Math.min(7, len - i - 1); k >= 0; k--) {
                v = (v << 8) | (x[off + i + k] & 0xFF);
            }
            putLong(v);
        }
    }

    /** Reads bytes written by {@link #putBytes} with the same length. */
    public void getBytes(byte[] x, int off, int len) {
        for (int i = 0; i < len; i += 8) {
            long v = getLong();
            for (int k = i; k < Math.min(i + 8, len); k++, v >>>= 8) {
                x[off + k] = (byte) v;
            }
        }
    }

    /** Appends the characters of a name. */
    public void putString(String x) {
        putInt(x.length());
        for (int i = 0; i < x.length(); i++) {
            putLong(x.charAt(i));
        }
    }

    /** Reads the next name. */
    public String getString() {
        char[] c = new char[getInt()];
        for (int i = 0; i < c.length; i++) {
            c[i] = (char) getLong();
        }
        return new String(c);
    }

    /** Appends a copy of the token. */
    public void putToken(@Nullable Token x) {
        if (tokenCount == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * tokenCount);
        }
        tokens[tokenCount++] = copyTokens ? copyOf(x) : x;
    }

    /** Returns a copy of the next token. */
    public @Nullable Token getToken() {
        if (tokenNext >= tokenCount) {
            throw new InvariantViolation("a State loads more tokens than it saved");
        }
        return copyOf(tokens[tokenNext++]);
    }

    private static @Nullable Token copyOf(@Nullable Token x) {
        if (x == null) {
            return null;
        }
        Token y = x.copy();
        y.journey = x.journey;
        return y;
    }

    /** Appends a mark that {@link #expectMark} compares: it finds a State whose load and save differ in length. */
    public void mark(String owner) {
        putLong(owner.hashCode());
        putLong(tokenCount);
    }

    /** Reads a mark; {@code owner} is the part whose state was just loaded. */
    public void expectMark(String owner) {
        if (getLong() != owner.hashCode() || getLong() != tokenNext) {
            throw new InvariantViolation(
                    owner,
                    InvariantViolation.BEFORE_TIME_ZERO,
                    "load reads another length than save wrote, or the design differs");
        }
    }

    /** Returns the number of values, tokens not counted. */
    public int size() {
        return longCount;
    }

    /** Returns a digest of the values, the identities of the tokens and their digests; comparable within one process only. */
    public long digest() {
        long h = longCount;
        for (int i = 0; i < longCount; i++) {
            h = (h ^ longs[i]) * MIX;
            h ^= h >>> 29;
        }
        for (int i = 0; i < tokenCount; i++) {
            Token t = tokens[i];
            h = (h ^ (t == null ? 0 : (copyTokens ? 0 : System.identityHashCode(t)) + t.digest())) * MIX;
            h ^= h >>> 29;
        }
        return h;
    }
}

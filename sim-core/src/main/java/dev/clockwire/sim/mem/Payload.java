package dev.clockwire.sim.mem;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The data a DMA, a frame or a medium carries: a reusable, growable sequence of pieces, each of bytes or an extent. An
 * extent is {@code length} bytes that were written by {@code writer} in its write number {@code sequence}, from
 * {@code offset} of that write on; writer 0 means never written (zeros).
 *
 * <p>Pieces keep their kind: bytes never become an extent and an extent never becomes bytes, so a gather of real and bulk
 * memory in mode {@link PayloadMode#SIZES} has pieces of both kinds. Neighbours that continue each other are merged, so
 * two payloads of equal content have equal pieces. A payload of bytes only (the normal case) keeps no piece table.
 *
 * <p>Belongs to one owner at a time, who may {@link #clear} and reuse it. Nothing is allocated once the buffers have grown.
 */
public final class Payload implements State {
    static final int BYTES = -1;
    private static final int FIRST_PIECES = 4;
    private static final int ROW = 4;
    private static final int SEQUENCE = 1;
    private static final int OFFSET = 2;
    private static final int WRITER = 32;

    private byte[] bytes;
    private int byteCount;
    private int length;

    private int pieces; // 0 while everything is bytes
    /** A row for each piece, together in a line of the cache: writer : 32, size : 32; sequence; offset; nothing. */
    private long[] table = {};

    private @Nullable CRC32C crc;

    /** Creates an empty payload. */
    public Payload() {
        this(0);
    }

    /** Creates an empty payload with room for {@code capacity} bytes. */
    public Payload(int capacity) {
        bytes = new byte[capacity];
    }

    /** Makes the payload empty; buffers are kept. */
    public void clear() {
        byteCount = 0;
        length = 0;
        pieces = 0;
    }

    /** Returns the length in bytes, whatever the pieces are. */
    public int length() {
        return length;
    }

    /** Returns whether all pieces are bytes (also when empty), so that {@link #array} may be used. */
    public boolean isBytes() {
        return pieces == 0;
    }

    /**
     * Returns the buffer whose first {@link #length} bytes are the content; valid until the next append.
     *
     * @throws ConfigurationException if a piece is an extent
     */
    public byte[] array() {
        if (pieces != 0) {
            throw noBytes(firstExtent());
        }
        return bytes;
    }

    /** Appends bytes. */
    public void appendBytes(byte[] src, int off, int len) {
        int at = grow(len);
        System.arraycopy(src, off, bytes, at, len);
    }

    /** Appends {@code len} zero bytes. */
    public void appendZeros(int len) {
        int at = grow(len);
        Arrays.fill(bytes, at, at + len, (byte) 0);
    }

    /** Appends an extent; see the class for its meaning. A writer is not negative. */
    public void appendExtent(int writer, long sequence, long offset, int len) {
        if (writer < 0 || len < 0) {
            throw new InvariantViolation("writer " + writer + ", length " + len + ": not negative");
        }
        if (len > 0) {
            if (pieces == 0 && length > 0) {
                addPiece(BYTES, 0, 0, length);
            }
            addPiece(writer, writer == 0 ? 0 : sequence, writer == 0 ? 0 : offset, len);
            length = Math.addExact(length, len);
        }
    }

    /** Appends {@code len} bytes of content of another payload, from its position {@code off} on. */
    public void appendFrom(Payload from, int off, int len) {
        from.check(off, len);
        if (from.pieces == 0) {
            appendBytes(from.bytes, off, len);
            return;
        }
        int end = off + len;
        int start = 0;
        for (int i = 0; i < from.pieces && start < end; i++) {
            int a = Math.max(off, start);
            int n = Math.min(end, start + from.sizeOf(i)) - a;
            if (n > 0 && from.writerOf(i) == BYTES) {
                appendBytes(from.bytes, (int) from.offsetOf(i) + a - start, n);
            } else if (n > 0) {
                appendExtent(from.writerOf(i), from.sequenceOf(i), from.offsetOf(i) + a - start, n);
            }
            start += from.sizeOf(i);
        }
    }

    /** Makes the content equal to that of another payload. */
    public void set(Payload from) {
        clear();
        appendFrom(from, 0, from.length);
    }

    /** Returns the number of pieces. */
    public int pieces() {
        return pieces == 0 && length > 0 ? 1 : pieces;
    }

    /** Returns whether piece {@code i} holds bytes rather than an extent. */
    public boolean isBytes(int i) {
        return pieces == 0 || writerOf(i) == BYTES;
    }

    /** Returns the length of piece {@code i} in bytes. */
    public int pieceLength(int i) {
        return pieces == 0 ? length : sizeOf(i);
    }

    /** Returns who wrote extent {@code i}; -1 for bytes. */
    public int writer(int i) {
        return pieces == 0 ? BYTES : writerOf(i);
    }

    /** Returns which write of its writer extent {@code i} comes from; 0 for bytes. */
    public long sequence(int i) {
        return pieces == 0 ? 0 : sequenceOf(i);
    }

    /** Returns where in its write extent {@code i} starts; 0 for bytes. */
    public long offset(int i) {
        return isBytes(i) ? 0 : offsetOf(i);
    }

    /**
     * Copies bytes out.
     *
     * @param off position in this payload
     * @throws ConfigurationException if the range touches an extent
     */
    public void copyTo(int off, byte[] dst, int dstOff, int len) {
        check(off, len);
        if (pieces == 0) {
            System.arraycopy(bytes, off, dst, dstOff, len);
            return;
        }
        int start = 0;
        for (int i = 0; i < pieces && start < off + len; i++) {
            int a = Math.max(off, start);
            int n = Math.min(off + len, start + sizeOf(i)) - a;
            if (n > 0) {
                System.arraycopy(bytes, bytesOf(i) + a - start, dst, dstOff + a - off, n);
            }
            start += sizeOf(i);
        }
    }

    /** Returns the byte at a position; see {@link #copyTo} for errors. */
    public byte byteAt(int off) {
        check(off, 1);
        if (pieces == 0) {
            return bytes[off];
        }
        int i = 0;
        int start = 0;
        while (start + sizeOf(i) <= off) {
            start += sizeOf(i++);
        }
        return bytes[bytesOf(i) + off - start];
    }

    /** Returns a 64-bit digest of the content: equal content, however it was appended, gives an equal digest. */
    public long digest() {
        if (pieces == 0) {
            return length == 0 ? 0 : fold(0, crc(0, length), length);
        }
        long h = 0;
        for (int i = 0; i < pieces; i++) {
            if (writerOf(i) == BYTES) {
                h = fold(h, crc((int) offsetOf(i), sizeOf(i)), sizeOf(i));
            } else {
                h = fold(PositionCode.mix(h + writerOf(i)) + sequenceOf(i), offsetOf(i), sizeOf(i) | 1L << 32);
            }
        }
        return h;
    }

    /** Returns whether another payload has the same content, piece by piece. */
    public boolean sameContent(Payload other) {
        if (length != other.length || pieces() != other.pieces()) {
            return false;
        }
        int at = 0;
        int otherAt = 0;
        for (int i = 0; i < pieces(); i++) {
            int n = pieceLength(i);
            if (n != other.pieceLength(i)
                    || writer(i) != other.writer(i)
                    || sequence(i) != other.sequence(i)
                    || offset(i) != other.offset(i)) {
                return false;
            }
            if (isBytes(i)) {
                if (!Arrays.equals(bytes, at, at + n, other.bytes, otherAt, otherAt + n)) {
                    return false;
                }
                at += n;
                otherAt += n;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        StringBuilder b = new StringBuilder("Payload[").append(length);
        for (int i = 0; i < pieces; i++) {
            b.append(i == 0 ? ": " : ", ");
            if (writerOf(i) == BYTES) {
                b.append(sizeOf(i)).append(" bytes");
            } else {
                b.append(describe(i));
            }
        }
        return b.append(']').toString();
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(pieces());
        for (int i = 0; i < pieces(); i++) {
            out.putInt(writer(i));
            out.putLong(sequence(i));
            out.putLong(offset(i));
            out.putInt(pieceLength(i));
        }
        out.putInt(byteCount);
        out.putBytes(bytes, 0, byteCount);
    }

    @Override
    public void load(Snapshot in) {
        clear();
        int n = in.getInt();
        for (int i = 0; i < n; i++) {
            int w = in.getInt();
            long s = in.getLong();
            long o = in.getLong();
            int len = in.getInt();
            if (w == BYTES) {
                grow(len);
            } else {
                appendExtent(w, s, o, len);
            }
        }
        in.getBytes(bytes, 0, in.getInt());
    }

    /** Returns where the bytes of piece {@code i} start in {@link #bytes}. */
    int bytesOf(int i) {
        if (writerOf(i) != BYTES) {
            throw noBytes(i);
        }
        return (int) offsetOf(i);
    }

    byte[] buffer() {
        return bytes;
    }

    void check(int off, int len) {
        if ((off | len) < 0 || off > length - len) {
            throw new InvariantViolation("[" + off + ", " + ((long) off + len) + ") of a payload of " + length);
        }
    }

    /** Makes room for bytes at the end, accounts for them and returns where they go. */
    int grow(int len) {
        int at = byteCount;
        if (len > bytes.length - at) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(at, len), Math.min(at * 2, Integer.MAX_VALUE - 8)));
        }
        if (pieces > 0 && len > 0) {
            addPiece(BYTES, 0, at, len);
        }
        byteCount = at + len;
        length = Math.addExact(length, len);
        return at;
    }

    private void addPiece(int w, long s, long o, int n) {
        long[] t = table;
        int last = (pieces - 1) * ROW;
        if (last >= 0
                && w == (int) (t[last] >> WRITER)
                && s == t[last + SEQUENCE]
                && (w == 0 || t[last + OFFSET] + (int) t[last] == o)) {
            t[last] += n;
            return;
        }
        int at = last + ROW;
        if (at == t.length) {
            t = Arrays.copyOf(t, Math.max(FIRST_PIECES * ROW, 2 * at));
            table = t;
        }
        t[at] = (long) w << WRITER | n;
        t[at + SEQUENCE] = s;
        t[at + OFFSET] = o;
        pieces++;
    }

    private int writerOf(int i) {
        return (int) (table[i * ROW] >> WRITER);
    }

    private int sizeOf(int i) {
        return (int) table[i * ROW];
    }

    private long sequenceOf(int i) {
        return table[i * ROW + SEQUENCE];
    }

    private long offsetOf(int i) {
        return table[i * ROW + OFFSET];
    }

    private int firstExtent() {
        int i = 0;
        while (writerOf(i) == BYTES) {
            i++;
        }
        return i;
    }

    private ConfigurationException noBytes(int i) {
        return new ConfigurationException("no bytes here: a payload of " + length + " holds " + describe(i)
                + " of bulk memory; allocate REAL what a program reads, or run with payload mode BYTES");
    }

    private String describe(int i) {
        return sizeOf(i) + " of write " + writerOf(i) + "/" + sequenceOf(i) + " from " + offsetOf(i);
    }

    private long crc(int from, int len) {
        CRC32C c = crc;
        if (c == null) {
            c = new CRC32C();
            crc = c;
        }
        c.reset();
        c.update(bytes, from, len);
        return c.getValue();
    }

    private static long fold(long h, long x, long n) {
        return PositionCode.mix(PositionCode.mix(h ^ n) + x);
    }
}

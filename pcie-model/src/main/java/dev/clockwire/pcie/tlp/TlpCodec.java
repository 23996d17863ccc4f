package dev.clockwire.pcie.tlp;

/**
 * Translates between {@link TlpHeader} and the bytes of a header, in the order in which they travel. Neither direction
 * throws on any field value or any bytes: field values are cut to their width, bytes give a {@link DecodeResult}.
 */
public final class TlpCodec {
    private static final int FOUR_DW = 0x20;

    private TlpCodec() {}

    /**
     * Writes the 12 or 16 header bytes.
     *
     * @return the number of bytes written
     */
    public static int encode(TlpHeader h, byte[] to, int offset) {
        putLong(to, offset, word01(h));
        long word23 = word23(h);
        putInt(to, offset + 8, (int) (word23 >>> 32));
        if (!h.isFourDw()) {
            return 12;
        }
        putInt(to, offset + 12, (int) word23);
        return 16;
    }

    /** Returns the first two DW of the header as one big-endian word. */
    public static long word01(TlpHeader h) {
        long first = h.type.code() | (h.type.hasData() ? 0x40 : 0) | (h.isFourDw() ? FOUR_DW : 0);
        if (h.type.isMessage()) {
            first |= h.routing & 7;
        }
        long second = (long) (h.tag >> 9 & 1) << 7
                | (long) (h.trafficClass & 7) << 4
                | (h.tag >> 8 & 1) << 3
                | (h.attributes >> 2 & 1) << 2
                | (h.ln ? 2 : 0)
                | (h.th ? 1 : 0);
        long rest = (h.digest ? 0x8000L : 0)
                | (h.poisoned ? 0x4000 : 0)
                | (long) (h.attributes & 3) << 12
                | (h.addressType & 3) << 10
                | (h.lengthDw & 0x3ff);
        return first << 56 | second << 48 | rest << 32 | dw1(h);
    }

    /** Returns the third and fourth DW of the header as one big-endian word; the fourth is 0 in a three DW header. */
    public static long word23(TlpHeader h) {
        if (h.type.isCompletion()) {
            return (long) (h.requesterId & 0xffff) << 48
                    | (long) (h.tag & 0xff) << 40
                    | (long) (h.lowerAddress & 0x7f) << 32;
        }
        if (h.type.isConfiguration()) {
            return (long) (h.completerId & 0xffff) << 48 | (h.address & 0xffc) << 32;
        }
        if (h.type.isMessage()) {
            return h.address;
        }
        long hint = h.th && h.type.isMemory() ? h.processingHint & 3 : 0;
        long address = (h.address & ~3L) | hint;
        return h.isFourDw() ? address : address << 32;
    }

    private static long dw1(TlpHeader h) {
        if (h.type.isCompletion()) {
            return (long) (h.completerId & 0xffff) << 16
                    | (long) h.status.code() << 13
                    | (h.byteCountModified ? 0x1000 : 0)
                    | (h.byteCount & 0xfff);
        }
        long low = h.type.isMessage() ? h.messageCode & 0xff : (h.lastBe & 0xf) << 4 | (h.firstBe & 0xf);
        return (long) (h.requesterId & 0xffff) << 16 | (long) (h.tag & 0xff) << 8 | low;
    }

    /**
     * Reads one packet that fills the given range exactly.
     *
     * @param into receives the fields unless the result is TRUNCATED, PREFIX or UNDEFINED_TYPE
     */
    public static DecodeResult decode(byte[] from, int offset, int length, TlpHeader into) {
        DecodeResult result = decodeHeader(from, offset, length, into);
        return result == DecodeResult.OK && into.totalBytes() != length ? DecodeResult.LENGTH_MISMATCH : result;
    }

    /** Reads the header at the start of the range and ignores what follows it. */
    public static DecodeResult decodeHeader(byte[] from, int offset, int length, TlpHeader into) {
        if (offset < 0 || length < 1 || offset > from.length - length) {
            return DecodeResult.TRUNCATED;
        }
        int first = from[offset] & 0xff;
        if (first >= 0x80) {
            return first < 0xa0 ? DecodeResult.PREFIX : DecodeResult.UNDEFINED_TYPE;
        }
        TlpType type = TlpType.ofFirstByte(first);
        if (type == null) {
            return DecodeResult.UNDEFINED_TYPE;
        }
        boolean fourDw = (first & FOUR_DW) != 0;
        if (length < (fourDw ? 16 : 12)) {
            return DecodeResult.TRUNCATED;
        }
        into.clear();
        into.type = type;
        into.fourDw = fourDw;
        decodeCommon(into, getInt(from, offset));
        long word23 = (long) getInt(from, offset + 8) << 32;
        if (fourDw) {
            word23 |= getInt(from, offset + 12) & 0xffff_ffffL;
        }
        decodeSpecific(into, getInt(from, offset + 4), word23);
        return DecodeResult.OK;
    }

    private static void decodeCommon(TlpHeader h, int dw0) {
        h.routing = h.type.isMessage() ? dw0 >>> 24 & 7 : 0;
        h.tag = (dw0 >>> 23 & 1) << 9 | (dw0 >>> 19 & 1) << 8;
        h.trafficClass = dw0 >>> 20 & 7;
        h.ln = (dw0 & 1 << 17) != 0;
        h.th = (dw0 & 1 << 16) != 0;
        h.digest = (dw0 & 1 << 15) != 0;
        h.poisoned = (dw0 & 1 << 14) != 0;
        h.attributes = (dw0 >>> 18 & 1) << 2 | (dw0 >>> 12 & 3);
        h.addressType = dw0 >>> 10 & 3;
        int length = dw0 & 0x3ff;
        h.lengthDw = length == 0 ? 1024 : length;
    }

    private static void decodeSpecific(TlpHeader h, int dw1, long word23) {
        if (h.type.isCompletion()) {
            h.completerId = dw1 >>> 16;
            h.status = CompletionStatus.of(dw1 >>> 13 & 7);
            h.byteCountModified = (dw1 & 0x1000) != 0;
            int count = dw1 & 0xfff;
            h.byteCount = count == 0 ? 4096 : count;
            h.requesterId = (int) (word23 >>> 48);
            h.tag |= (int) (word23 >>> 40) & 0xff;
            h.lowerAddress = (int) (word23 >>> 32) & 0x7f;
            return;
        }
        h.requesterId = dw1 >>> 16;
        h.tag |= dw1 >>> 8 & 0xff;
        if (h.type.isMessage()) {
            h.messageCode = dw1 & 0xff;
            h.address = word23;
            return;
        }
        h.firstBe = dw1 & 0xf;
        h.lastBe = dw1 >>> 4 & 0xf;
        if (h.type.isConfiguration()) {
            h.completerId = (int) (word23 >>> 48);
            h.address = word23 >>> 32 & 0xffc;
            return;
        }
        long address = h.fourDw ? word23 : word23 >>> 32;
        h.processingHint = h.th && h.type.isMemory() ? (int) address & 3 : 0;
        h.address = address & ~3L;
    }

    private static void putLong(byte[] to, int offset, long value) {
        putInt(to, offset, (int) (value >>> 32));
        putInt(to, offset + 4, (int) value);
    }

    private static void putInt(byte[] to, int offset, int value) {
        to[offset] = (byte) (value >>> 24);
        to[offset + 1] = (byte) (value >>> 16);
        to[offset + 2] = (byte) (value >>> 8);
        to[offset + 3] = (byte) value;
    }

    private static int getInt(byte[] from, int offset) {
        return from[offset] << 24
                | (from[offset + 1] & 0xff) << 16
                | (from[offset + 2] & 0xff) << 8
                | (from[offset + 3] & 0xff);
    }
}

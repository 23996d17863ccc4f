package dev.clockwire.storage.ceph.msgr2;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.sim.mem.Payload;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Frames of msgr2.1 in crc mode: a preamble of 32 bytes, the first segment with its checksum, the others, and an epilogue of 13 bytes if there is more than one.
 * The register of the preamble's checksum starts at 0, that of a segment's at -1; neither is inverted.
 */
final class Frame {
    /** Bytes of a preamble. */
    static final int PREAMBLE = 32;
    /** Bytes of a message's header, {@code ceph_msg_header2}. */
    static final int HEADER = 41;
    /** Bytes of a checksum behind the first segment. */
    static final int CRC = 4;
    /** Bytes of an epilogue. */
    static final int EPILOGUE = 13;
    /** Bytes of a banner: {@code "ceph v2\n"}, a length, features. */
    static final int BANNER = 26;

    private static final byte[] WORD = {'c', 'e', 'p', 'h', ' ', 'v', '2', '\n'};
    private static final int CHECKED = 28;
    private static final int SEGMENTS = 4;
    private static final int PAGE = 4096;
    private static final int FEATURES = 16;
    private static final int DATA = 3;
    private static final int MOST = 1 << 27;

    private Frame() {}

    static Payload banner() {
        byte[] b = new byte[BANNER];
        System.arraycopy(WORD, 0, b, 0, WORD.length);
        LittleEndian.put16(b, WORD.length, (short) FEATURES);
        LittleEndian.put64(b, WORD.length + 2, 1);
        LittleEndian.put64(b, WORD.length + 2 + Long.BYTES, 1);
        return payload(b);
    }

    static boolean isBanner(byte[] b) {
        for (int i = 0; i < WORD.length; i++) {
            if (b[i] != WORD[i]) {
                return false;
            }
        }
        return LittleEndian.get16(b, WORD.length) == FEATURES;
    }

    private static Payload payload(byte[] b) {
        Payload p = new Payload(b.length);
        p.appendBytes(b, 0, b.length);
        return p;
    }

    private static void preamble(byte[] b, Tag tag, int segments, int first, int front, int data) {
        b[0] = (byte) tag.code();
        b[1] = (byte) segments;
        segment(b, 0, first, Long.BYTES);
        segment(b, 1, front, Long.BYTES);
        segment(b, 2, 0, Long.BYTES);
        segment(b, DATA, data, PAGE);
        LittleEndian.put32(b, CHECKED, Crc32c.update(0, b, 0, CHECKED));
    }

    private static void segment(byte[] b, int i, int length, int align) {
        LittleEndian.put32(b, 2 + 6 * i, length);
        LittleEndian.put16(b, 6 + 6 * i, (short) (length == 0 ? 0 : align));
    }

    /** Returns a frame of one segment of numbers. */
    static Payload control(Tag tag, long... numbers) {
        int n = numbers.length * Long.BYTES;
        byte[] b = new byte[PREAMBLE + n + CRC];
        preamble(b, tag, 1, n, 0, 0);
        for (int i = 0; i < numbers.length; i++) {
            LittleEndian.put64(b, PREAMBLE + i * Long.BYTES, numbers[i]);
        }
        LittleEndian.put32(b, PREAMBLE + n, Crc32c.update(-1, b, PREAMBLE, n));
        return payload(b);
    }

    /** Returns a message's frame. */
    static Payload message(Message m, long seq, long ackSeq) {
        int front = m.frontBytes();
        int data = m.data.length();
        byte[] head = new byte[PREAMBLE + HEADER + CRC + front];
        preamble(head, Tag.MESSAGE, data > 0 ? SEGMENTS : 2, HEADER, front, data);
        header(head, m, seq, ackSeq);
        LittleEndian.put32(head, PREAMBLE + HEADER, Crc32c.update(-1, head, PREAMBLE, HEADER));
        int at = PREAMBLE + HEADER + CRC;
        m.encodeFront(head, at);
        Payload p = new Payload(head.length + (m.data.isBytes() ? data : 0) + EPILOGUE);
        p.appendBytes(head, 0, head.length);
        p.appendFrom(m.data, 0, data);
        byte[] end = new byte[EPILOGUE];
        LittleEndian.put32(end, 1, Crc32c.update(-1, head, at, front));
        LittleEndian.put32(end, 1 + CRC, -1);
        LittleEndian.put32(end, 1 + 2 * CRC, dataCrc(m.data));
        p.appendBytes(end, 0, EPILOGUE);
        return p;
    }

    private static void header(byte[] b, Message m, long seq, long ackSeq) {
        int at = PREAMBLE;
        LittleEndian.put64(b, at, seq);
        LittleEndian.put64(b, at + 8, m.tid);
        LittleEndian.put16(b, at + 16, (short) m.type.code());
        LittleEndian.put16(b, at + 18, (short) 63); // priority
        LittleEndian.put16(b, at + 20, (short) 1); // version; 4 bytes of padding and 2 of offset are 0
        LittleEndian.put64(b, at + 28, ackSeq);
        LittleEndian.put16(b, at + 37, (short) 1); // compatible version, behind a byte of flags
    }

    /** Returns the checksum of data; of an extent, which has no bytes, a digest instead. */
    static int dataCrc(Payload data) {
        if (!data.isBytes()) {
            return (int) data.digest();
        }
        CRC32C crc = new CRC32C(); // faster, but inverts in the end
        crc.update(data.array(), 0, data.length());
        return (int) ~crc.getValue();
    }

    /** Returns how long the frame is that begins with this preamble, -1 if it is none. */
    static int bytes(byte[] b) {
        if (Tag.of(b[0]) == null || LittleEndian.get32(b, CHECKED) != Crc32c.update(0, b, 0, CHECKED)) {
            return -1;
        }
        long n = (long) PREAMBLE + CRC + (b[1] > 1 ? EPILOGUE : 0);
        for (int i = 0; i < SEGMENTS; i++) {
            n += length(b, i) & 0xFFFF_FFFFL;
        }
        return n > MOST ? -1 : (int) n;
    }

    static int length(byte[] preamble, int segment) {
        return LittleEndian.get32(preamble, 2 + 6 * segment);
    }

    /** Returns the numbers of a frame of one segment, null if they were damaged. */
    static long @Nullable [] numbers(Payload frame) {
        byte[] b = new byte[frame.length()];
        frame.copyTo(0, b, 0, b.length);
        int n = length(b, 0);
        if (LittleEndian.get32(b, PREAMBLE + n) != Crc32c.update(-1, b, PREAMBLE, n)) {
            return null;
        }
        long[] x = new long[n / Long.BYTES];
        for (int i = 0; i < x.length; i++) {
            x[i] = LittleEndian.get64(b, PREAMBLE + i * Long.BYTES);
        }
        return x;
    }

    /** Returns the sequence number of a message's frame. */
    static long seq(Payload frame) {
        return number(frame, PREAMBLE);
    }

    /** Returns what the sender has received, from a message's frame. */
    static long ackSeq(Payload frame) {
        return number(frame, PREAMBLE + 28);
    }

    private static long number(Payload frame, int at) {
        byte[] b = new byte[Long.BYTES];
        frame.copyTo(at, b, 0, b.length);
        return LittleEndian.get64(b, 0);
    }

    /** Returns the message of a frame, null if it was damaged. */
    static @Nullable Message message(Payload frame, byte[] preamble) {
        int front = length(preamble, 1);
        int data = length(preamble, DATA);
        byte[] head = new byte[HEADER + CRC + front];
        frame.copyTo(PREAMBLE, head, 0, head.length);
        byte[] end = new byte[EPILOGUE];
        frame.copyTo(frame.length() - EPILOGUE, end, 0, EPILOGUE);
        int code = LittleEndian.get16(head, 16) & 0xFFFF;
        Message m = Message.decodeFront(code, head, HEADER + CRC, front);
        if (m == null
                || LittleEndian.get32(head, HEADER) != Crc32c.update(-1, head, 0, HEADER)
                || LittleEndian.get32(end, 1) != Crc32c.update(-1, head, HEADER + CRC, front)) {
            return null;
        }
        m.data = new Payload(0);
        m.data.appendFrom(frame, PREAMBLE + HEADER + CRC + front, data);
        return LittleEndian.get32(end, 1 + 2 * CRC) == dataCrc(m.data) ? m : null;
    }
}

package dev.clockwire.nic.offload;

import dev.clockwire.nic.context.OffloadNamespace;
import dev.clockwire.sim.mem.Payload;
import org.jspecify.annotations.Nullable;

/** Reads and writes the fields of NVMe that the offload knows: little-endian, NVMe Base 2.0, figures 87, 91 and 99. */
final class Capsule {
    /** Bytes of a command. */
    static final int BYTES = 64;
    /** Bytes of a completion. */
    static final int COMPLETION = 16;
    /** Opcodes of Flush, Write and Read. */
    static final int FLUSH = 0x00;

    static final int WRITE = 0x01;
    static final int READ = 0x02;
    /** Status codes, generic type: success, invalid opcode, invalid field, invalid namespace, SGL offset, SGL length, SGL type, LBA range. */
    static final int SUCCESS = 0x00;

    static final int INVALID_OPCODE = 0x01;
    static final int INVALID_FIELD = 0x02;
    static final int INVALID_NAMESPACE = 0x0B;
    static final int SGL_OFFSET = 0x16;
    static final int SGL_LENGTH = 0x0F;
    static final int SGL_TYPE = 0x11;
    static final int LBA_RANGE = 0x80;

    private static final int KEYED = 4;
    private static final int INVALIDATE = 0xF;
    /** A data block at an offset in the capsule. */
    private static final int INSIDE = 0x01;
    /** PSDT: the command has an SGL. */
    private static final int SGL = 1;

    final byte[] bytes = new byte[BYTES];
    private final Payload found = new Payload();

    /** Takes over a command. */
    Capsule of(Payload from) {
        found.clear();
        found.appendFrom(from, 0, BYTES);
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = found.byteAt(i);
        }
        return this;
    }

    int opcode() {
        return bytes[0] & 0xFF;
    }

    int cid() {
        return get16(bytes, 2);
    }

    int nsid() {
        return get32(bytes, 4);
    }

    /**
     * Checks a command; returns a status. The key is the host's: its NIC checks that, when data come back.
     *
     * @param namespace that it names, null if there is none
     * @param mostBytes largest transfer
     * @param behind bytes that came behind the command
     */
    int check(@Nullable OffloadNamespace namespace, int mostBytes, int behind) {
        boolean isFlush = opcode() == FLUSH;
        if (opcode() != READ && opcode() != WRITE && !isFlush) {
            return INVALID_OPCODE;
        }
        if ((bytes[1] & 3) != 0 || (bytes[1] & 0xFF) >>> 6 != SGL) {
            return INVALID_FIELD; // fused, or with PRPs
        }
        if (namespace == null) {
            return INVALID_NAMESPACE;
        }
        if (isFlush) {
            return SUCCESS;
        }
        boolean inside = isInside();
        if (!inside && !isKeyed()) {
            return SGL_TYPE;
        }
        long count = blocks();
        if (slba() < 0 || slba() > namespace.blocks() - count) {
            return LBA_RANGE;
        }
        if (inside && (address() < 0 || address() > behind)) {
            return SGL_OFFSET;
        }
        long length = inside ? Math.min(insideLength(), behind - address()) : length();
        if (length < count * namespace.blockBytes()) {
            return SGL_LENGTH;
        }
        return count * namespace.blockBytes() > mostBytes ? INVALID_FIELD : SUCCESS;
    }

    private boolean isKeyed() {
        int type = bytes[39] & 0xFF;
        return type >>> 4 == KEYED && ((type & 0xF) == 0 || (type & 0xF) == INVALIDATE);
    }

    /** Whether it is a write whose data are in the capsule. */
    boolean isInside() {
        return opcode() == WRITE && (bytes[39] & 0xFF) == INSIDE;
    }

    private long insideLength() {
        return get32(bytes, 32) & 0xFFFF_FFFFL;
    }

    long slba() {
        return get64(bytes, 40);
    }

    int blocks() {
        return get16(bytes, 48) + 1;
    }

    long address() {
        return get64(bytes, 24);
    }

    int length() {
        return get32(bytes, 32) & 0xFF_FFFF;
    }

    int key() {
        return get32(bytes, 35);
    }

    boolean wantsInvalidate() {
        return bytes[39] >>> 4 == KEYED && (bytes[39] & 0xF) == INVALIDATE;
    }

    /** Makes this the command for the SSD: its own identifier and namespace, PRPs instead of the host's SGL. */
    void forDisk(int context, OffloadDisk disk, int nsid, int length) {
        bytes[1] = 0;
        put16(bytes, 2, context);
        put32(bytes, 4, nsid);
        put64(bytes, 16, 0);
        put64(bytes, 24, length == 0 ? 0 : disk.stagingOf(context));
        long second = disk.stagingOf(context) + OffloadDisk.PAGE;
        put64(
                bytes,
                32,
                length <= OffloadDisk.PAGE ? 0 : length <= 2 * OffloadDisk.PAGE ? second : disk.listOf(context));
    }

    static int get16(byte[] b, int at) {
        return (b[at] & 0xFF) | (b[at + 1] & 0xFF) << 8;
    }

    static int get32(byte[] b, int at) {
        return get16(b, at) | get16(b, at + 2) << 16;
    }

    static long get64(byte[] b, int at) {
        return (get32(b, at) & 0xFFFF_FFFFL) | (long) get32(b, at + 4) << 32;
    }

    static void put16(byte[] b, int at, int x) {
        b[at] = (byte) x;
        b[at + 1] = (byte) (x >>> 8);
    }

    static void put32(byte[] b, int at, int x) {
        put16(b, at, x);
        put16(b, at + 2, x >>> 16);
    }

    static void put64(byte[] b, int at, long x) {
        for (int i = 0; i < Long.BYTES; i++) {
            b[at + i] = (byte) (x >>> (8 * i));
        }
    }
}

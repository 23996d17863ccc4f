package dev.clockwire.nvme.format;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.Arrays;

/** A submission queue entry of 64 bytes: a command. Reused, so nothing is made for a command. */
public final class SqEntry {
    /** Size in bytes. */
    public static final int BYTES = 64;
    /** {@link #dataKind}: data by PRP. */
    public static final int PRP = 0;
    /** {@link #dataKind}: data by SGL, metadata contiguous. */
    public static final int SGL = 1;
    /** {@link #dataKind}: data and metadata by SGL. */
    public static final int SGL_METADATA = 2;
    /** {@link #nsid}: all namespaces. */
    public static final int ALL_NAMESPACES = 0xFFFF_FFFF;
    /** Where the data pointer stands: PRP 1 and PRP 2, or a descriptor of 16 bytes. */
    public static final int DATA = 24;

    private static final int METADATA = 16;
    private static final int PRP2 = 32;
    private static final int CDW10 = 40;
    private static final int MAX_BLOCKS = 1 << 16;
    private static final int DWORD = 4;
    private static final int FIRST_OF_COMMAND = 10;

    private final byte[] bytes = new byte[BYTES];

    /** Creates an entry of zeros. */
    public SqEntry() {}

    /** Makes all bytes zero. */
    public SqEntry clear() {
        Arrays.fill(bytes, (byte) 0);
        return this;
    }

    /** Takes 64 bytes over. */
    public SqEntry load(byte[] from, int at) {
        System.arraycopy(from, at, bytes, 0, BYTES);
        return this;
    }

    /** Writes 64 bytes. */
    public void store(byte[] to, int at) {
        System.arraycopy(bytes, 0, to, at, BYTES);
    }

    /** Returns the bytes themselves. */
    public byte[] bytes() {
        return bytes;
    }

    /** Sets what every command has. */
    public SqEntry command(int opcode, int cid, int nsid) {
        LittleEndian.put8(bytes, 0, opcode);
        LittleEndian.put16(bytes, 2, cid);
        LittleEndian.put32(bytes, 4, nsid);
        return this;
    }

    /** Sets how data are described, and the part in a fused pair: 0 none, 1 first, 2 second. */
    public SqEntry flags(int dataKind, int fuse) {
        LittleEndian.put8(bytes, 1, dataKind << 6 | fuse);
        return this;
    }

    /** Sets the data pointer as PRPs. */
    public SqEntry prp(long first, long second) {
        LittleEndian.put64(bytes, DATA, first);
        LittleEndian.put64(bytes, PRP2, second);
        return this;
    }

    /**
     * Sets a double word of the command.
     *
     * @param n 10 to 15, as the specification counts them
     */
    public SqEntry dword(int n, int value) {
        LittleEndian.put32(bytes, CDW10 + DWORD * (n - FIRST_OF_COMMAND), value);
        return this;
    }

    /**
     * Sets first block and number of blocks of reads, writes and their kin.
     *
     * @param count 1 to 65536; the entry holds one less
     */
    public SqEntry blocks(long slba, int count) {
        if (count < 1 || count > MAX_BLOCKS) {
            throw new ConfigurationException("number of blocks " + count + " is not in 1.." + MAX_BLOCKS);
        }
        LittleEndian.put64(bytes, CDW10, slba);
        LittleEndian.put16(bytes, CDW10 + 2 * DWORD, count - 1);
        return this;
    }

    /** Returns the opcode; see {@link Opcodes}. */
    public int opcode() {
        return LittleEndian.get8(bytes, 0);
    }

    /** Returns the part in a fused pair: 0 none, 1 first, 2 second. */
    public int fuse() {
        return bytes[1] & 3;
    }

    /** Returns how data are described, 0 to 3; 3 is reserved. */
    public int dataKind() {
        return bytes[1] >> 6 & 3;
    }

    /** Returns the command identifier. */
    public int cid() {
        return LittleEndian.get16(bytes, 2);
    }

    /** Returns the namespace. */
    public int nsid() {
        return LittleEndian.get32(bytes, 4);
    }

    /** Returns the address of metadata. */
    public long metadata() {
        return LittleEndian.get64(bytes, METADATA);
    }

    /** Returns the first PRP. */
    public long prp1() {
        return LittleEndian.get64(bytes, DATA);
    }

    /** Returns the second PRP. */
    public long prp2() {
        return LittleEndian.get64(bytes, PRP2);
    }

    /** Returns a double word of the command; see {@link #dword(int, int)}. */
    public int dword(int n) {
        return LittleEndian.get32(bytes, CDW10 + DWORD * (n - FIRST_OF_COMMAND));
    }

    /** Returns the first block of reads, writes and their kin. */
    public long slba() {
        return LittleEndian.get64(bytes, CDW10);
    }

    /** Returns the number of blocks of reads, writes and their kin, 1 to 65536. */
    public int blocks() {
        return LittleEndian.get16(bytes, CDW10 + 2 * DWORD) + 1;
    }
}

package dev.clockwire.nic.format;

import dev.clockwire.roce.wire.Encapsulation;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.sim.state.Token;

/**
 * One send WQE on its way through the device: the bytes as fetched, and the fields the parser finds in them. Layout (mlx5):
 * control segment 16 B, then as the opcode asks datagram 48 B, remote address 16 B, window 32 B, wait 16 B, atomic 16 B, then data segments of
 * 16 B or one inline segment. Made to be pooled.
 */
public final class Wqe extends Token {
    /** Size of a building block in bytes; queue indices count these. */
    public static final int BLOCK = 64;
    /** Largest WQE in bytes: what the 6-bit length in 16 B units can say. */
    public static final int MAX_BYTES = 63 * 16;
    /** Most scatter/gather elements a WQE can hold. */
    public static final int MAX_SGE = 30;

    private static final int CONTROL = 16;
    private static final int DATAGRAM = 48;
    private static final int WINDOW = 32;
    private static final int INLINE = 0x80000000;
    private static final int MOST = 0x80000000;

    /** The WQE's bytes from the ring. */
    public final byte[] raw = new byte[16 * BLOCK];
    /** Send queue's QP number. */
    public int qpn;
    /** Index of the first block, 16 bits, as the driver counted it. */
    public int index;
    /** Index behind its last block where it was read, whatever it says of itself. */
    public int end;
    /** Size in 64 B blocks. */
    public int blocks;

    /** Control segment: operation. */
    public int opcode;
    /** Control segment: a CQE is wanted. */
    public boolean signaled;
    /** Control segment: solicited event. */
    public boolean solicited;
    /** Control segment: wait for earlier READs and atomics. */
    public boolean fence;
    /** Control segment: immediate data or key to invalidate. */
    public int imm;
    /** Remote address. */
    public long remoteVa;
    /** Remote key. */
    public int rkey;
    /** Atomic: value to swap in or to add. */
    public long swapAdd;
    /** Atomic: value to compare with. */
    public long compare;
    /** Window: local key of the region. */
    public int windowLkey;
    /** Window: bytes. */
    public long windowLength;
    /** Window: mask of remote rights. */
    public int windowAccess;
    /** Wait: number of the completion queue; enable: of the queue pair. */
    public int waitNumber;
    /** Wait: completions in all that the queue must have had, 32 bits; enable: index behind the last block released, 16 bits. */
    public int waitIndex;
    /** Datagram: destination QP. */
    public int destQp;
    /** Datagram: queue key. */
    public int qkey;
    /** Datagram: where the packet goes; the sender's addresses are the port's. */
    public final FlowAddress flow = new FlowAddress();
    /** Number of scatter/gather elements. */
    public int sgeCount;
    /** Address of each element. */
    public final long[] sgeVa = new long[MAX_SGE];
    /** Length of each element in bytes, 32 bits without sign; see {@link #bytes}. */
    public final int[] sgeLength = new int[MAX_SGE];
    /** Local key of each element. */
    public final int[] sgeLkey = new int[MAX_SGE];
    /** Offset of inline data in {@link #raw}, 0 if there is none. */
    public int inlineAt;
    /** Bytes of payload that the operation moves. */
    public long length;
    /** Whether the bytes made sense. */
    public boolean valid;

    /** Could not be read at the first try, or not at all: it ends with an error when it is its turn. */
    public boolean unread;

    /** Could not be read at all: nothing but {@link #qpn}, {@link #index} and {@link #blocks} is known. */
    public boolean opaque;

    /** When the newest packet was made that is not to be made again, in ps; 0: none. Kept for followed operations only. */
    public long madePs;

    private boolean datagram;

    /** Creates an empty WQE. */
    public Wqe() {}

    /** Reads the fields out of the raw bytes; never throws, {@link #valid} tells whether they made sense. */
    public void parse(boolean datagram) {
        this.datagram = datagram;
        opcode = raw[3] & 0xFF;
        index = Bytes.getShort(raw, 1);
        qpn = Bytes.getInt(raw, 4) >>> 8;
        int units = raw[7] & 0x3F;
        blocks = Math.max(1, (units * 16 + BLOCK - 1) / BLOCK);
        int flags = raw[11] & 0xFF;
        fence = flags >>> 5 != 0;
        signaled = (flags >>> 2 & 3) >= 2;
        solicited = (flags >>> 1 & 1) != 0;
        imm = Bytes.getInt(raw, 12);
        int at = CONTROL;
        int end = Math.min(units * 16, MAX_BYTES);
        inlineAt = 0;
        sgeCount = 0;
        length = 0;
        madePs = 0;
        if (datagram) {
            at = parseDatagram(at);
        }
        if (WqeOpcode.hasRemoteAddress(opcode)) {
            remoteVa = Bytes.getLong(raw, at);
            rkey = Bytes.getInt(raw, at + 8);
            at += 16;
        }
        if (opcode == WqeOpcode.UMR) {
            at = parseWindow(at);
        }
        if (opcode == WqeOpcode.WAIT || opcode == WqeOpcode.SEND_EN) {
            waitIndex = Bytes.getInt(raw, at + 8);
            waitNumber = Bytes.getInt(raw, at + 12);
            at += 16;
        }
        if (WqeOpcode.isAtomic(opcode)) {
            swapAdd = Bytes.getLong(raw, at);
            compare = Bytes.getLong(raw, at + 8);
            at += 16;
        }
        valid = units > 0 && at <= end && parseData(at, end);
    }

    /** Makes this stand for blocks of a send queue that cannot be read. */
    public void unreadable(int firstIndex, int count) {
        unread = true;
        opaque = true;
        opcode = WqeOpcode.NOP;
        index = firstIndex & 0xFFFF;
        blocks = count;
        signaled = true;
        valid = false;
        sgeCount = 0;
        inlineAt = 0;
        length = 0;
        madePs = 0;
    }

    private int parseDatagram(int at) {
        qkey = Bytes.getInt(raw, at);
        destQp = Bytes.getInt(raw, at + 8) & 0xFFFFFF;
        flow.reset();
        flow.udpSourcePort = Bytes.getShort(raw, at + 14);
        flow.dstMac = ((long) Bytes.getShort(raw, at + 20) << 32) | (Bytes.getInt(raw, at + 22) & 0xFFFFFFFFL);
        flow.setTrafficClass(raw[at + 26] & 0xFF);
        flow.hopLimit = raw[at + 27] & 0xFF;
        int word = Bytes.getInt(raw, at + 28);
        flow.encapsulation = (word & 1 << 20) != 0 ? Encapsulation.IPV6 : Encapsulation.IPV4;
        flow.flowLabel = word & 0xFFFFF;
        flow.dstHi = Bytes.getLong(raw, at + 32);
        flow.dstLo = Bytes.getLong(raw, at + 40);
        return at + DATAGRAM;
    }

    private int parseWindow(int at) {
        rkey = Bytes.getInt(raw, at);
        windowLkey = Bytes.getInt(raw, at + 4);
        remoteVa = Bytes.getLong(raw, at + 8);
        windowLength = Bytes.getLong(raw, at + 16);
        windowAccess = Bytes.getInt(raw, at + 24);
        return at + WINDOW;
    }

    private boolean parseData(int at, int end) {
        for (int p = at; p + 16 <= end; p += 16) {
            int count = Bytes.getInt(raw, p);
            if ((count & INLINE) != 0) {
                inlineAt = p + 4;
                length = count & ~INLINE;
                return p == at && inlineAt + length <= end;
            }
            if (sgeCount == MAX_SGE) {
                return false;
            }
            sgeLength[sgeCount] = length(count);
            sgeLkey[sgeCount] = Bytes.getInt(raw, p + 4);
            sgeVa[sgeCount++] = Bytes.getLong(raw, p + 8);
            length += bytes(sgeLength[sgeCount - 1]);
        }
        return true;
    }

    /** Returns the length, 32 bits without sign, that the count of a data segment stands for: 0 is 2^31, since bit 31 says inline. */
    public static int length(int count) {
        return count == 0 ? MOST : count;
    }

    /** Returns the count of a data segment of 1 to 2^31 bytes. */
    public static int count(long bytes) {
        return (int) bytes & ~MOST;
    }

    /** Returns a {@link #sgeLength} as a number. */
    public static long bytes(int length) {
        return length & 0xFFFF_FFFFL;
    }

    @Override
    protected Wqe copy() {
        Wqe c = new Wqe();
        System.arraycopy(raw, 0, c.raw, 0, raw.length);
        c.parse(datagram);
        if (opaque) {
            c.unreadable(index, blocks);
        }
        c.unread = unread;
        System.arraycopy(sgeVa, 0, c.sgeVa, 0, sgeCount);
        c.journey = journey;
        c.madePs = madePs;
        c.qpn = qpn;
        c.index = index;
        c.end = end;
        return c;
    }
}

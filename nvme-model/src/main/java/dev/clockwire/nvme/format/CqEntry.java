package dev.clockwire.nvme.format;

/** A completion queue entry of 16 bytes. Reused, so nothing is made for a completion. */
public final class CqEntry {
    /** Size in bytes. */
    public static final int BYTES = 16;

    private static final int HEAD = 8;
    private static final int QUEUE = 10;
    private static final int CID = 12;
    private static final int STATUS = 14;
    private static final int CODE_SHIFT = 1;
    private static final int CODE_MASK = 0x7FF;

    private final byte[] bytes = new byte[BYTES];

    /** Creates an entry of zeros. */
    public CqEntry() {}

    /**
     * Sets all fields.
     *
     * @param result double words 0 and 1
     * @param sqHead where the controller reads the submission queue next
     * @param status a {@link NvmeStatus#code}, with {@link NvmeStatus#MORE} and {@link NvmeStatus#DO_NOT_RETRY} if wanted
     * @param phase 0 or 1
     */
    public CqEntry set(long result, int sqHead, int sqId, int cid, int status, int phase) {
        LittleEndian.put64(bytes, 0, result);
        LittleEndian.put16(bytes, HEAD, sqHead);
        LittleEndian.put16(bytes, QUEUE, sqId);
        LittleEndian.put16(bytes, CID, cid);
        LittleEndian.put16(bytes, STATUS, status << CODE_SHIFT | phase);
        return this;
    }

    /** Takes 16 bytes over. */
    public CqEntry load(byte[] from, int at) {
        System.arraycopy(from, at, bytes, 0, BYTES);
        return this;
    }

    /** Writes 16 bytes. */
    public void store(byte[] to, int at) {
        System.arraycopy(bytes, 0, to, at, BYTES);
    }

    /** Returns the bytes themselves. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns double words 0 and 1. */
    public long result() {
        return LittleEndian.get64(bytes, 0);
    }

    /** Returns where the controller reads the submission queue next. */
    public int sqHead() {
        return LittleEndian.get16(bytes, HEAD);
    }

    /** Returns the submission queue. */
    public int sqId() {
        return LittleEndian.get16(bytes, QUEUE);
    }

    /** Returns the command identifier. */
    public int cid() {
        return LittleEndian.get16(bytes, CID);
    }

    /** Returns the phase tag, 0 or 1. */
    public int phase() {
        return bytes[STATUS] & 1;
    }

    /** Returns status type and code, see {@link NvmeStatus#code}; 0 is success. */
    public int status() {
        return LittleEndian.get16(bytes, STATUS) >> CODE_SHIFT & CODE_MASK;
    }

    /** Whether the command would fail again. */
    public boolean doNotRetry() {
        return bytes[STATUS + 1] < 0;
    }
}

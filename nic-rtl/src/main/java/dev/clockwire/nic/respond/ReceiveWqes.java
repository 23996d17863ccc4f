package dev.clockwire.nic.respond;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.context.SrqContext;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** A ring of receive WQEs in host memory, of one queue pair or shared, and those of it that were read ahead. */
final class ReceiveWqes implements State {
    /** Receive WQEs read ahead. */
    static final int AHEAD = 32;

    private static final int SEGMENT = 16;
    private static final int INVALID_LKEY = 0x100;

    /** Whether several queue pairs take from it. */
    final boolean shared;
    /** Slot of the queue pair, or number of the shared queue. */
    final int id;

    final long base;
    /** log2 of the ring's size in WQEs, -1 if there is none. */
    final int logEntries;

    final int stride;
    final long recordAddress;
    private final int segments;
    private final long[] va;
    private final int[] length;
    private final int[] lkey;
    /** Counter of the receive WQE that is in use or next. */
    int consumed;
    /** Counter behind the newest receive WQE that is here. */
    int fetched;
    /** Producer counter that the doorbell record gave last. */
    int producer;
    /** A read of the record or of WQEs is on its way. */
    boolean fetching;
    /** A packet waits for a receive WQE. */
    boolean waited;
    /** The record is being read, or was, since the packet began to wait: an older answer says nothing about what is posted now. */
    boolean asked;
    /** The record was read after the packet began to wait, and said that there is none. */
    boolean foundNone;
    /** An event is wanted when fewer are left; 0: none is. */
    int limit;

    ReceiveWqes(QpContext qp) {
        this(false, qp.slot, qp.rqBase, qp.logRqEntries, qp.rqStride, qp.recordAddress);
    }

    ReceiveWqes(SrqContext srq) {
        this(true, srq.srqn(), srq.base(), srq.logEntries(), srq.stride(), srq.recordAddress());
    }

    private ReceiveWqes(boolean shared, int id, long base, int logEntries, int stride, long recordAddress) {
        this.shared = shared;
        this.id = id;
        this.base = base;
        this.logEntries = logEntries;
        this.stride = stride;
        this.recordAddress = recordAddress;
        segments = stride / SEGMENT;
        va = new long[AHEAD * segments];
        length = new int[AHEAD * segments];
        lkey = new int[AHEAD * segments];
    }

    /** Whether there is a ring at all. */
    boolean exists() {
        return logEntries >= 0;
    }

    /** Whether none is here, and the record may say that there is one all the same. */
    boolean maySupply() {
        return exists() && available() == 0 && !foundNone;
    }

    /** Returns how many receive WQEs are here. */
    int available() {
        return (fetched - consumed) & 0xFFFF;
    }

    /** Returns how many more are posted, as far as the record is known. */
    int posted() {
        return (producer - fetched) & 0xFFFF;
    }

    /** Whether an event is wanted and seems due. */
    boolean belowLimit() {
        return limit > 0 && available() + posted() < limit;
    }

    /** The packet that waited does not any more; one that comes later asks anew. */
    void endWait() {
        waited = false;
        asked = false;
        foundNone = false;
    }

    /** Whether a packet waits for what only the record can say. */
    boolean mustAsk() {
        return waited && !foundNone && available() == 0;
    }

    void next() {
        consumed = (consumed + 1) & 0xFFFF;
    }

    /** Returns the WQEs of the next read: contiguous in the ring, no more than there is room for. */
    int nextRead() {
        int size = 1 << logEntries;
        int untilEnd = size - (fetched & (size - 1));
        return Math.min(Math.min(posted(), AHEAD - available()), untilEnd);
    }

    /** Takes receive WQEs that were read. */
    void add(Payload bytes) {
        int count = bytes.length() / stride;
        for (int w = 0; w < count; w++) {
            int to = fetched % AHEAD * segments;
            boolean ended = false;
            for (int i = 0; i < segments; i++) {
                int from = w * stride + i * SEGMENT;
                lkey[to + i] = (int) big(bytes, from + 4, 4);
                // What stands behind the terminator is left over from an older WQE in the same place.
                ended |= lkey[to + i] == INVALID_LKEY;
                length[to + i] = ended ? 0 : Wqe.length((int) big(bytes, from, 4));
                va[to + i] = big(bytes, from + 8, 8);
            }
            fetched = (fetched + 1) & 0xFFFF;
        }
    }

    private static long big(Payload bytes, int at, int size) {
        long x = 0;
        for (int i = 0; i < size; i++) {
            x = (x << 8) | (bytes.byteAt(at + i) & 0xFF);
        }
        return x;
    }

    /** Returns the number of segments of a receive WQE. */
    int segments() {
        return segments;
    }

    long va(int i) {
        return va[consumed % AHEAD * segments + i];
    }

    /** Returns the bytes of a segment. */
    long length(int i) {
        return Wqe.bytes(length[consumed % AHEAD * segments + i]);
    }

    int lkey(int i) {
        return lkey[consumed % AHEAD * segments + i];
    }

    @Override
    public void save(Snapshot out) {
        out.putLongs(va);
        for (int i = 0; i < length.length; i++) {
            out.putLong(((long) length[i] << 32) | (lkey[i] & 0xFFFFFFFFL));
        }
        out.putInt(consumed);
        out.putInt(fetched);
        out.putInt(producer);
        out.putInt(limit);
        out.putInt((fetching ? 1 : 0) | (foundNone ? 2 : 0) | (waited ? 4 : 0) | (asked ? 8 : 0));
    }

    @Override
    public void load(Snapshot in) {
        in.getLongs(va);
        for (int i = 0; i < length.length; i++) {
            long both = in.getLong();
            length[i] = (int) (both >>> 32);
            lkey[i] = (int) both;
        }
        consumed = in.getInt();
        fetched = in.getInt();
        producer = in.getInt();
        limit = in.getInt();
        int flags = in.getInt();
        fetching = (flags & 1) != 0;
        foundNone = (flags & 2) != 0;
        waited = (flags & 4) != 0;
        asked = (flags & 8) != 0;
    }
}

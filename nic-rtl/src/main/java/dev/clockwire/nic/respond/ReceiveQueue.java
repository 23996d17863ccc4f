package dev.clockwire.nic.respond;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.roce.transport.ResponderSpec;
import dev.clockwire.roce.transport.ResponderState;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Objects;

/** The receive side of one queue pair: the transport's state and the receive WQEs that were read ahead. */
final class ReceiveQueue implements State {
    /** Receive WQEs read ahead. */
    static final int AHEAD = 32;

    private static final int SEGMENT = 16;
    private static final int INVALID_LKEY = 0x100;

    final QpContext qp;
    final ResponderState responder = new ResponderState();
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
    /** The record was read after the packet began to wait, and said that there is none. */
    boolean foundNone;

    /** The first good packet of the connection has come. */
    boolean established;

    private boolean connected;

    ReceiveQueue(QpContext qp) {
        this.qp = qp;
        segments = qp.rqStride / SEGMENT;
        va = new long[AHEAD * segments];
        length = new int[AHEAD * segments];
        lkey = new int[AHEAD * segments];
    }

    /** Connects the transport's state with the context's values at first use. */
    ResponderState connected() {
        if (!connected) {
            connected = true;
            responder.connect(Objects.requireNonNull(qp.responder));
        }
        return responder;
    }

    /** Takes over new parameters. */
    void modified() {
        ResponderSpec told = qp.responder;
        if (connected && told != null) {
            responder.modify(told);
        }
    }

    /** Returns how many receive WQEs are here. */
    int available() {
        return fetched - consumed & 0xFFFF;
    }

    /** Returns how many more are posted, as far as the record is known. */
    int posted() {
        return producer - fetched & 0xFFFF;
    }

    /** Returns the WQEs of the next read: contiguous in the ring, no more than there is room for. */
    int nextRead() {
        int size = 1 << qp.logRqEntries;
        int untilEnd = size - (fetched & size - 1);
        return Math.min(Math.min(posted(), AHEAD - available()), untilEnd);
    }

    /** Takes receive WQEs that were read. */
    void add(Payload bytes) {
        int count = bytes.length() / qp.rqStride;
        for (int w = 0; w < count; w++) {
            int to = fetched % AHEAD * segments;
            boolean ended = false;
            for (int i = 0; i < segments; i++) {
                int from = w * qp.rqStride + i * SEGMENT;
                lkey[to + i] = (int) big(bytes, from + 4, 4);
                // What stands behind the terminator is left over from an older WQE in the same place.
                ended |= lkey[to + i] == INVALID_LKEY;
                length[to + i] = ended ? 0 : (int) big(bytes, from, 4);
                va[to + i] = big(bytes, from + 8, 8);
            }
            fetched = fetched + 1 & 0xFFFF;
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

    int length(int i) {
        return length[consumed % AHEAD * segments + i];
    }

    int lkey(int i) {
        return lkey[consumed % AHEAD * segments + i];
    }

    /** Returns the bytes of the receive WQE that is in use or next. */
    long capacity() {
        long sum = 0;
        for (int i = 0; i < segments; i++) {
            sum += length(i);
        }
        return sum;
    }

    @Override
    public void save(Snapshot out) {
        responder.save(out);
        out.putLongs(va);
        for (int i = 0; i < length.length; i++) {
            out.putLong(((long) length[i] << 32) | (lkey[i] & 0xFFFFFFFFL));
        }
        out.putInt(consumed);
        out.putInt(fetched);
        out.putInt(producer);
        out.putInt((fetching ? 1 : 0)
                | (foundNone ? 2 : 0)
                | (connected ? 4 : 0)
                | (waited ? 8 : 0)
                | (established ? 16 : 0));
    }

    @Override
    public void load(Snapshot in) {
        responder.load(in);
        in.getLongs(va);
        for (int i = 0; i < length.length; i++) {
            long both = in.getLong();
            length[i] = (int) (both >>> 32);
            lkey[i] = (int) both;
        }
        consumed = in.getInt();
        fetched = in.getInt();
        producer = in.getInt();
        int flags = in.getInt();
        fetching = (flags & 1) != 0;
        foundNone = (flags & 2) != 0;
        waited = (flags & 8) != 0;
        established = (flags & 16) != 0;
        connected = (flags & 4) != 0;
    }
}

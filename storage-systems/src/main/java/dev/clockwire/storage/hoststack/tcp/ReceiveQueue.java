package dev.clockwire.storage.hoststack.tcp;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * What was received of a stream: bytes in order up to {@link #next}, of which the user has not read those from {@link #unread} on, and ranges
 * behind a gap. Ranges that would be more than {@value #RANGES} are forgotten, as a kernel under memory pressure does: they are sent again.
 */
final class ReceiveQueue implements State {
    private static final int RANGES = 64;

    private final ByteRing ring;
    /** Ranges behind the gap, in order, apart from each other. */
    private final int[] from = new int[RANGES];

    private final int[] to = new int[RANGES];
    private int ranges;
    private int next;
    private int unread;

    ReceiveQueue(int capacity) {
        ring = new ByteRing(capacity);
    }

    /** Begins a stream. */
    void begin(int seq) {
        next = seq;
        unread = seq;
        ranges = 0;
    }

    /** Returns the number of the next byte that is missing. */
    int next() {
        return next;
    }

    /** A number that is no byte was received in order: a FIN. */
    void skip() {
        next++;
    }

    /** Returns how many bytes may still come behind {@link #next}. */
    int space() {
        return ring.capacity() - (next - unread);
    }

    /** Returns the bytes that can be read, without those that are no bytes. */
    int readable(int end) {
        return end - unread;
    }

    /** Reads bytes in order. */
    void read(byte[] b, int off, int length) {
        ring.get(unread, b, off, length);
        unread += length;
    }

    boolean hasGap() {
        return ranges > 0;
    }

    /** Takes bytes of a segment; what was received before or does not fit is left out. Returns by how much the order has grown. */
    int take(int seq, byte[] b, int off, int length) {
        int first = Math.max(0, next - seq);
        int room = next + space() - seq;
        int last = Math.min(length, room);
        if (first >= last) {
            return 0;
        }
        ring.put(seq + first, b, off + first, last - first);
        int before = next;
        insert(seq + first, seq + last);
        if (ranges > 0 && from[0] == next) {
            next = to[0];
            remove(0);
        }
        return next - before;
    }

    private void insert(int start, int end) {
        int at = 0;
        while (at < ranges && TcpSegment.before(to[at], start)) {
            at++;
        }
        int s = start;
        int e = end;
        while (at < ranges && !TcpSegment.before(e, from[at])) {
            s = TcpSegment.before(from[at], s) ? from[at] : s;
            e = TcpSegment.before(e, to[at]) ? to[at] : e;
            remove(at);
        }
        if (ranges == RANGES) {
            if (at == RANGES) {
                return;
            }
            ranges--;
        }
        System.arraycopy(from, at, from, at + 1, ranges - at);
        System.arraycopy(to, at, to, at + 1, ranges - at);
        from[at] = s;
        to[at] = e;
        ranges++;
    }

    private void remove(int at) {
        ranges--;
        System.arraycopy(from, at + 1, from, at, ranges - at);
        System.arraycopy(to, at + 1, to, at, ranges - at);
    }

    @Override
    public void save(Snapshot out) {
        ring.save(out);
        out.putInt(ranges);
        for (int i = 0; i < ranges; i++) {
            out.putInt(from[i]);
            out.putInt(to[i]);
        }
        out.putInt(next);
        out.putInt(unread);
    }

    @Override
    public void load(Snapshot in) {
        ring.load(in);
        ranges = in.getInt();
        for (int i = 0; i < ranges; i++) {
            from[i] = in.getInt();
            to[i] = in.getInt();
        }
        next = in.getInt();
        unread = in.getInt();
    }
}

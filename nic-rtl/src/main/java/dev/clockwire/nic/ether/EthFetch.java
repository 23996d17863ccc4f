package dev.clockwire.nic.ether;

import dev.clockwire.nic.format.RawPacketWqe;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.state.Pool;

/** Reads the rings of the Ethernet queues, and the frames to send. Part of {@link EthernetPort}, not a block. */
final class EthFetch {
    /** The bits of a read's cookie from here on say what it brings; those below, for whom. */
    static final int KIND_SHIFT = 32;

    /** It brings WQEs of a send queue. */
    static final int WQES = 1;

    /** It brings receives of a queue. */
    static final int RECEIVES = 2;

    /** It brings the rest of a frame to send. */
    static final int PAYLOAD = 3;

    /** Bytes of a receive that could not be read. */
    static final int UNREAD = -1;

    private static final int BATCH = 4;
    private static final int FLOW = 0xFFF0;
    private static final int WINDOW = 1024;
    private static final int RECEIVE_BYTES = 16;

    private final EventPort reads;
    private final Inlet<DmaRead> replies;
    private final EthTable table;
    private final EthState s;
    private final Pool<DmaRead> pool = new Pool<>(DmaRead::new);

    EthFetch(EventPort reads, Inlet<DmaRead> replies, EthTable table, EthState s) {
        this.reads = reads;
        this.replies = replies;
        this.table = table;
        this.s = s;
    }

    /** Takes a read back. */
    void done(DmaRead read) {
        pool.give(read);
    }

    /** Takes over receives that have been read. */
    void posted(int q, DmaRead reply) {
        s.receiveReading[q] = 0;
        for (int at = 0; at < reply.length; at += RECEIVE_BYTES) {
            int i = q * EthState.AHEAD + (int) (s.receiveFetched[q]++ & EthState.AHEAD - 1);
            if (reply.error != DmaError.NONE) {
                s.receiveBytes[i] = UNREAD;
                continue;
            }
            long low = 0;
            for (int k = 8; k < RECEIVE_BYTES; k++) {
                low = low << 8 | (reply.into.byteAt(at + k) & 0xFF);
            }
            s.receiveAddress[i] = low;
            int bytes = 0;
            for (int k = 0; k < 4; k++) {
                bytes = bytes << 8 | (reply.into.byteAt(at + k) & 0xFF);
            }
            s.receiveBytes[i] = bytes;
        }
    }

    /** Reads host memory; the answer says of what kind it is, and which. */
    void read(long address, int length, int kind, int which, long now) {
        DmaRead r = pool.take();
        r.address = address;
        r.length = length;
        r.into.clear();
        r.cookie = (long) kind << KIND_SHIFT | which;
        r.flow = FLOW + kind;
        r.window = WINDOW;
        r.reply = replies;
        r.journey = 0;
        reads.send(now + 1, 0, 0, 0, r);
    }

    /** Asks for the next WQEs of a queue, and for receives of those that run low. */
    boolean ask(long now) {
        boolean did = false;
        int n = table.queues();
        for (int i = 0; i < n && s.current == null && !s.sendReading; i++) {
            int q = s.turn + i < n ? s.turn + i : s.turn + i - n;
            int many = pieces(s.sendProducer[q], s.sendFetched[q], table.send(q), BATCH);
            if (many > 0) {
                EthTable.Ring ring = table.send(q);
                long at = s.sendFetched[q] & (1L << ring.logEntries()) - 1;
                read(ring.base() + at * RawPacketWqe.BYTES, many * RawPacketWqe.BYTES, WQES, q, now);
                s.sendReading = true;
                s.turn = q + 1 == n ? 0 : q + 1;
                did = true;
            }
        }
        for (int q = 0; q < n; q++) {
            int room = EthState.AHEAD - (int) (s.receiveFetched[q] - s.receiveUsed[q]);
            int many = pieces(s.receiveProducer[q], s.receiveFetched[q], table.receive(q), BATCH * BATCH);
            if (s.receiveReading[q] == 0 && many > 0 && many <= room) {
                EthTable.Ring ring = table.receive(q);
                long at = s.receiveFetched[q] & (1L << ring.logEntries()) - 1;
                read(ring.base() + at * RECEIVE_BYTES, many * RECEIVE_BYTES, RECEIVES, q, now);
                s.receiveReading[q] = 1;
                did = true;
            }
        }
        return did;
    }

    /** Returns how many entries can be read at once: what is posted, up to the ring's end. */
    private static int pieces(long producer, long fetched, EthTable.Ring ring, int most) {
        int size = 1 << ring.logEntries();
        int toEnd = size - (int) (fetched & size - 1);
        return (int) Math.min(Math.min(producer - fetched, toEnd), most);
    }
}

package dev.clockwire.roce.transport;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/**
 * The send side of one queue pair: sequence numbers, retry counters and a ring of the work requests that have PSNs and are not
 * complete. A work request in the ring is called by its <em>entry</em>, a number that counts up from 0 and is never reused
 * before the next {@link #connect}. {@link Requester} holds the rules.
 */
public final class RequesterState implements State {
    /** Most connections of a large cluster send little: room for all entries is made as they come. */
    private static final int FIRST_ROOM = 8;

    private static final int SIGNALED = 1;
    private static final int SOLICITED = 2;

    QpType type = QpType.RC;
    int mtu;
    int localQpn;
    int destQpn;
    int pkey;
    int qkey;
    int maxRdAtomic;
    int retryCount;
    int rnrRetry;
    int ackInterval;
    boolean credits;

    /** PSN of the next work request. */
    int nextPsn;
    /** The oldest PSN that is not acknowledged; {@link #nextPsn} if there is none. */
    int ackPsn;
    /** One behind the newest PSN that was ever sent. */
    int sentPsn;
    /** Oldest entry that is not complete. */
    long head;
    /** Entry of the next work request. */
    long tail;
    /** What is sent next: a packet of an entry; {@link #tail} if all is sent. */
    long cursorEntry;

    int cursorPacket;
    int outstandingReads;
    int retriesLeft;
    int rnrRetriesLeft;
    /** A retry has begun and nothing came of it yet: further signs of the same loss are ignored. */
    boolean retrying;

    boolean rnrWaiting;
    boolean failed;
    int lastMsn;
    int rewinds;
    /** The newest message, counted from 1, for which the peer has announced a receive. */
    int lsn;
    /** The peer gives no information about receives: no limit. */
    boolean unlimited;

    private final int mask;
    private long[] id;
    private long[] opcode;
    private long[] flags;
    private long[] length;
    private long[] first;
    private long[] last;
    private long[] remoteVa;
    private long[] rkey;
    private long[] immOrKey;
    private long[] swapAdd;
    private long[] compare;
    private long[] datagram;
    private long[] readStart;

    /**
     * Creates the state of a queue pair that is not connected.
     *
     * @param capacity work requests in flight at most, a power of two
     */
    public RequesterState(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new ConfigurationException("requester ring of " + capacity + " entries: must be a power of two");
        }
        mask = capacity - 1;
        int room = Math.min(capacity, FIRST_ROOM);
        id = new long[room];
        opcode = new long[room];
        flags = new long[room];
        length = new long[room];
        first = new long[room];
        last = new long[room];
        remoteVa = new long[room];
        rkey = new long[room];
        immOrKey = new long[room];
        swapAdd = new long[room];
        compare = new long[room];
        datagram = new long[room];
        readStart = new long[room];
    }

    /** Empties the ring and starts anew with these parameters. */
    public void connect(RequesterSpec spec) {
        modify(spec);
        nextPsn = spec.firstPsn() & Psn.MASK;
        ackPsn = nextPsn;
        sentPsn = nextPsn;
        head = 0;
        tail = 0;
        cursorEntry = 0;
        cursorPacket = 0;
        outstandingReads = 0;
        retrying = false;
        rnrWaiting = false;
        failed = false;
        lastMsn = 0;
        lsn = 0;
        unlimited = false;
    }

    /** Takes over new parameters in the middle of the work; the first PSN is not one of them. The retry counters reload. */
    public void modify(RequesterSpec spec) {
        type = spec.type();
        mtu = spec.mtu();
        localQpn = spec.localQpn();
        destQpn = spec.destQpn();
        pkey = spec.pkey();
        qkey = spec.qkey();
        maxRdAtomic = spec.maxRdAtomic();
        retryCount = spec.retryCount();
        rnrRetry = spec.rnrRetry();
        ackInterval = spec.ackInterval();
        credits = spec.credits();
        retriesLeft = retryCount;
        rnrRetriesLeft = rnrRetry;
    }

    /** Returns how many work requests can be in flight. */
    public int capacity() {
        return mask + 1;
    }

    /** Returns the oldest entry that is not complete, {@link #tail} if all are. */
    public long head() {
        return head;
    }

    /** Returns the entry that the next work request gets. */
    public long tail() {
        return tail;
    }

    /** Returns the entry of the packet that is to be sent next, {@link #tail} if all is sent. */
    public long cursorEntry() {
        return cursorEntry;
    }

    /** Returns the index within its message of the packet that is to be sent next. */
    public int cursorPacket() {
        return cursorPacket;
    }

    /** Returns the PSN that the next work request gets. */
    public int nextPsn() {
        return nextPsn;
    }

    /** Returns the oldest PSN that is not acknowledged. */
    public int unackedPsn() {
        return ackPsn;
    }

    /** Returns the READs and atomics that have PSNs and no complete answer. */
    public int outstandingReads() {
        return outstandingReads;
    }

    /** Tells whether the send queue waits because the receiver was not ready. */
    public boolean rnrWaiting() {
        return rnrWaiting;
    }

    /** Tells whether a work request failed for good: nothing more is sent, what is left must be flushed. */
    public boolean failed() {
        return failed;
    }

    /** Returns the MSN of the newest acknowledgement: a report only, no rule uses it. */
    public int lastMsn() {
        return lastMsn;
    }

    /** Returns how often sending went back: packets prepared under an older number must not leave any more. */
    public int rewinds() {
        return rewinds;
    }

    /** Returns the {@link SendWork#id} of an entry. Valid until the ring has come round. */
    public long id(long entry) {
        return id[slot(entry)];
    }

    /** Returns the operation of an entry. */
    public WrOpcode opcode(long entry) {
        return WrOpcode.of((int) opcode[slot(entry)]);
    }

    /** Returns the bytes of the message of an entry. */
    public long length(long entry) {
        return length[slot(entry)];
    }

    /** Returns the first PSN of an entry. */
    public int firstPsn(long entry) {
        return (int) first[slot(entry)];
    }

    /** Returns the last PSN of an entry. */
    public int lastPsn(long entry) {
        return (int) last[slot(entry)];
    }

    /** Tells whether a success of this entry makes a completion. */
    public boolean signaled(long entry) {
        return (flags[slot(entry)] & SIGNALED) != 0;
    }

    boolean solicited(long entry) {
        return (flags[slot(entry)] & SOLICITED) != 0;
    }

    long remoteVa(long entry) {
        return remoteVa[slot(entry)];
    }

    int rkey(long entry) {
        return (int) rkey[slot(entry)];
    }

    int immOrKey(long entry) {
        return (int) immOrKey[slot(entry)];
    }

    long swapAdd(long entry) {
        return swapAdd[slot(entry)];
    }

    long compare(long entry) {
        return compare[slot(entry)];
    }

    int destQpn(long entry) {
        return type == QpType.UD ? (int) (datagram[slot(entry)] >>> 32) : destQpn;
    }

    int qkey(long entry) {
        return (int) datagram[slot(entry)];
    }

    /** Returns the response at which the newest request of a READ starts. */
    int readStart(long entry) {
        return (int) readStart[slot(entry)];
    }

    void setReadStart(long entry, int packet) {
        readStart[slot(entry)] = packet;
    }

    /** Makes room for an entry and the one behind it; the ring has not come round before it has its whole size. */
    private void reserve(long entry) {
        if (entry + 1 >= id.length && id.length <= mask) {
            resize(2 * id.length);
        }
    }

    private void resize(int room) {
        id = Arrays.copyOf(id, room);
        opcode = Arrays.copyOf(opcode, room);
        flags = Arrays.copyOf(flags, room);
        length = Arrays.copyOf(length, room);
        first = Arrays.copyOf(first, room);
        last = Arrays.copyOf(last, room);
        remoteVa = Arrays.copyOf(remoteVa, room);
        rkey = Arrays.copyOf(rkey, room);
        immOrKey = Arrays.copyOf(immOrKey, room);
        swapAdd = Arrays.copyOf(swapAdd, room);
        compare = Arrays.copyOf(compare, room);
        datagram = Arrays.copyOf(datagram, room);
        readStart = Arrays.copyOf(readStart, room);
    }

    void store(long entry, SendWork work, int lastPsn) {
        reserve(entry);
        int i = slot(entry);
        id[i] = work.id;
        opcode[i] = work.opcode.code();
        flags[i] = (work.signaled ? SIGNALED : 0) | (work.solicited && work.opcode.maySolicit() ? SOLICITED : 0);
        length[i] = work.length;
        first[i] = nextPsn;
        last[i] = lastPsn;
        remoteVa[i] = work.remoteVa;
        rkey[i] = work.rkey;
        immOrKey[i] = work.immOrKey;
        swapAdd[i] = work.swapAdd;
        compare[i] = work.compare;
        int key = work.qkey < 0 ? qkey : work.qkey;
        datagram[i] = (long) work.destQpn << 32 | (key & 0xFFFF_FFFFL);
        readStart[i] = 0;
    }

    private int slot(long entry) {
        return (int) entry & mask;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(type.code());
        for (int x : new int[] {mtu, localQpn, destQpn, pkey, qkey, maxRdAtomic, retryCount, rnrRetry, ackInterval}) {
            out.putInt(x);
        }
        for (int x :
                new int[] {nextPsn, ackPsn, sentPsn, cursorPacket, outstandingReads, retriesLeft, rnrRetriesLeft}) {
            out.putInt(x);
        }
        out.putInt(lastMsn);
        out.putInt(rewinds);
        out.putInt(lsn);
        out.putLong(head);
        out.putLong(tail);
        out.putLong(cursorEntry);
        out.putBoolean(retrying);
        out.putBoolean(rnrWaiting);
        out.putBoolean(failed);
        out.putBoolean(credits);
        out.putBoolean(unlimited);
        out.putInt(id.length);
        for (long[] column : columns()) {
            out.putLongs(column);
        }
    }

    @Override
    public void load(Snapshot in) {
        type = QpType.of(in.getInt());
        mtu = in.getInt();
        localQpn = in.getInt();
        destQpn = in.getInt();
        pkey = in.getInt();
        qkey = in.getInt();
        maxRdAtomic = in.getInt();
        retryCount = in.getInt();
        rnrRetry = in.getInt();
        ackInterval = in.getInt();
        nextPsn = in.getInt();
        ackPsn = in.getInt();
        sentPsn = in.getInt();
        cursorPacket = in.getInt();
        outstandingReads = in.getInt();
        retriesLeft = in.getInt();
        rnrRetriesLeft = in.getInt();
        lastMsn = in.getInt();
        rewinds = in.getInt();
        lsn = in.getInt();
        head = in.getLong();
        tail = in.getLong();
        cursorEntry = in.getLong();
        retrying = in.getBoolean();
        rnrWaiting = in.getBoolean();
        failed = in.getBoolean();
        credits = in.getBoolean();
        unlimited = in.getBoolean();
        resize(in.getInt());
        for (long[] column : columns()) {
            in.getLongs(column);
        }
    }

    private long[][] columns() {
        return new long[][] {
            id, opcode, flags, length, first, last, remoteVa, rkey, immOrKey, swapAdd, compare, datagram, readStart
        };
    }
}

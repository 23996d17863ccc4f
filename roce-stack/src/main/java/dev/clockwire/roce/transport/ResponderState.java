package dev.clockwire.roce.transport;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/**
 * The receive side of one queue pair: the expected PSN, the message in progress and the ring of READs and atomics that can be
 * answered again. {@link Responder} holds the rules.
 */
public final class ResponderState implements State {
    static final int IDLE = 0;
    static final int IN_SEND = 1;
    static final int IN_WRITE = 2;

    private static final int FREE = 0;
    private static final int READ = 1;
    private static final int ATOMIC = 2;
    private static final int ATOMIC_DONE = 3;

    QpType type = QpType.RC;
    int mtu;
    int destQpn;
    int pkey;
    int access;
    int maxDestRdAtomic;
    int rnrTimer;
    boolean ackEveryDuplicate;
    int ackEvery = 1;
    boolean credits;
    boolean refuseExcess;
    /** Syndrome of the newest positive answer. */
    int ackSyndrome = Syndrome.ACK;
    /** Packets that asked for an acknowledgement which has not been sent. */
    int owed;

    private int connection;

    int expectedPsn;
    int msn;
    /** Newest executed SEND, WRITE or atomic packet: as far as a repeated acknowledgement may go. */
    int ackablePsn;
    /** A refusal was sent; no other until the expected packet comes. */
    boolean nakSent;
    /** UC: the rest of this message is thrown away. */
    boolean dropping;
    /** A receive work request is in use; UC reuses it when a message is lost. */
    boolean receiveHeld;

    int message;
    /** Bytes of the message so far. */
    long received;
    /** Bytes that a write still has to bring. */
    long remaining;

    long va;
    int rkey;
    int nextResource;

    private long[] kind = {};
    private long[] open = {};
    private long[] first = {};
    private long[] count = {};
    private long[] resourceVa = {};
    private long[] resourceKey = {};
    private long[] resourceLength = {};
    private long[] original = {};

    /** Creates the state of a queue pair that is not connected. */
    public ResponderState() {}

    /** Forgets everything and starts anew with these parameters. */
    public void connect(ResponderSpec spec) {
        disconnect();
        modify(spec);
        expectedPsn = spec.firstPsn() & Psn.MASK;
        msn = 0;
        ackablePsn = Psn.plus(expectedPsn, -1);
        owed = 0;
        ackSyndrome = Syndrome.ACK;
        nakSent = false;
        dropping = false;
        receiveHeld = false;
        message = IDLE;
        received = 0;
        remaining = 0;
        va = 0;
        rkey = 0;
    }

    /** Ends the connection: what is still to be answered is not any more. */
    public void disconnect() {
        connection++;
        Arrays.fill(kind, FREE);
        Arrays.fill(open, 0);
    }

    /** Returns a number that no other connection of this queue pair has: answers that were decided in another one are old. */
    public int connection() {
        return connection;
    }

    /** Takes over new parameters in the middle of the work; the first PSN is not one of them. */
    public void modify(ResponderSpec spec) {
        type = spec.type();
        mtu = spec.mtu();
        destQpn = spec.destQpn();
        pkey = spec.pkey();
        access = spec.access();
        maxDestRdAtomic = Math.min(ResponderSpec.MAX_RESOURCES, spec.maxDestRdAtomic());
        rnrTimer = spec.rnrTimer();
        ackEveryDuplicate = spec.ackEveryDuplicate();
        ackEvery = spec.ackEvery();
        credits = spec.credits();
        refuseExcess = spec.refuseExcess();
        if (kind.length != maxDestRdAtomic) {
            int kept = Math.min(kind.length, maxDestRdAtomic);
            resize(maxDestRdAtomic, kept, nextResource - kept);
            // Whoever answers knows the old places.
            Arrays.fill(open, 0);
            nextResource = maxDestRdAtomic == 0 ? 0 : kept % maxDestRdAtomic;
        }
    }

    /** Makes the ring larger or smaller; what is kept, from a place on, comes to its beginning. */
    private void resize(int resources, int kept, int from) {
        kind = moved(kind, resources, kept, from);
        open = moved(open, resources, kept, from);
        first = moved(first, resources, kept, from);
        count = moved(count, resources, kept, from);
        resourceVa = moved(resourceVa, resources, kept, from);
        resourceKey = moved(resourceKey, resources, kept, from);
        resourceLength = moved(resourceLength, resources, kept, from);
        original = moved(original, resources, kept, from);
    }

    private static long[] moved(long[] column, int resources, int kept, int from) {
        long[] to = new long[resources];
        for (int i = 0; i < kept; i++) {
            to[i] = column[Math.floorMod(from + i, column.length)];
        }
        return to;
    }

    /** Notes that a packet asks for an acknowledgement; returns whether one is to be sent now. */
    boolean owe() {
        owed++;
        if (owed < ackEvery) {
            return false;
        }
        owed = 0;
        return true;
    }

    /** Returns the PSN that the next new request must have. */
    public int expectedPsn() {
        return expectedPsn;
    }

    /** Returns the messages executed so far, modulo 2^24. */
    public int msn() {
        return msn;
    }

    /** Returns the path MTU in bytes. */
    public int mtu() {
        return mtu;
    }

    /** Tells whether a message has begun and not ended. */
    public boolean inMessage() {
        return message != IDLE;
    }

    /** Tells whether a receive work request is in use. */
    public boolean receiveHeld() {
        return receiveHeld;
    }

    int keepRead(int psn, int responses, long address, int key, long length) {
        int slot = keep(READ, psn, responses);
        resourceVa[slot] = address;
        resourceKey[slot] = key;
        resourceLength[slot] = length;
        return slot;
    }

    int keepAtomic(int psn) {
        return keep(ATOMIC, psn, 1);
    }

    private int keep(int what, int psn, int responses) {
        int slot = nextResource;
        nextResource = (slot + 1) % maxDestRdAtomic;
        kind[slot] = what;
        open[slot] = 1;
        first[slot] = psn;
        count[slot] = responses;
        return slot;
    }

    /** Tells whether the READ or atomic that would have to be forgotten for another one is not answered yet. */
    boolean resourcesBusy() {
        return refuseExcess && open[nextResource] != 0;
    }

    /** The answer of a slot is on its way, unless the slot has gone to another request meanwhile. */
    void answered(int slot, int psn) {
        if (slot < open.length && first[slot] == psn) {
            open[slot] = 0;
        }
    }

    /** Keeps a result, unless the slot has gone to another request meanwhile. */
    void atomicDone(int slot, int psn, long value) {
        if (slot < kind.length && kind[slot] == ATOMIC && first[slot] == psn) {
            original[slot] = value;
            kind[slot] = ATOMIC_DONE;
            open[slot] = 0;
        }
    }

    /** Returns the slot of the READ that owns a PSN, -1 if it is not kept any more. */
    int findRead(int psn) {
        return find(READ, psn);
    }

    /** Returns the slot of the atomic with a PSN, finished or not, -1 if it is not kept any more. */
    int findAtomic(int psn) {
        return find(ATOMIC, psn);
    }

    /** Tells whether the result of an atomic is known. */
    boolean isAtomicDone(int slot) {
        return kind[slot] == ATOMIC_DONE;
    }

    private int find(int what, int psn) {
        // Newest first: a very old request may have had the same PSN one turn of the circle ago.
        for (int i = 1; i <= maxDestRdAtomic; i++) {
            int slot = (nextResource - i + maxDestRdAtomic) % maxDestRdAtomic;
            boolean same = kind[slot] == what || (kind[slot] == ATOMIC_DONE && what == ATOMIC);
            if (same && Psn.inRange(psn, (int) first[slot], (int) count[slot])) {
                return slot;
            }
        }
        return -1;
    }

    /** Returns how many PSNs a READ has from one of its own on. */
    int responsesFrom(int slot, int psn) {
        return (int) count[slot] - Psn.distance((int) first[slot], psn);
    }

    long resourceVa(int slot) {
        return resourceVa[slot];
    }

    int resourceKey(int slot) {
        return (int) resourceKey[slot];
    }

    long resourceLength(int slot) {
        return resourceLength[slot];
    }

    long resourceOriginal(int slot) {
        return original[slot];
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(type.code());
        for (int x : new int[] {mtu, destQpn, pkey, access, maxDestRdAtomic, rnrTimer}) {
            out.putInt(x);
        }
        for (int x : new int[] {
            connection, expectedPsn, msn, ackablePsn, message, rkey, nextResource, ackEvery, owed, ackSyndrome
        }) {
            out.putInt(x);
        }
        out.putBoolean(ackEveryDuplicate);
        out.putBoolean(credits);
        out.putBoolean(refuseExcess);
        out.putBoolean(nakSent);
        out.putBoolean(dropping);
        out.putBoolean(receiveHeld);
        out.putLong(received);
        out.putLong(remaining);
        out.putLong(va);
        for (long[] column : columns()) {
            out.putLongs(column);
        }
    }

    @Override
    public void load(Snapshot in) {
        type = QpType.of(in.getInt());
        mtu = in.getInt();
        destQpn = in.getInt();
        pkey = in.getInt();
        access = in.getInt();
        maxDestRdAtomic = in.getInt();
        rnrTimer = in.getInt();
        connection = in.getInt();
        expectedPsn = in.getInt();
        msn = in.getInt();
        ackablePsn = in.getInt();
        message = in.getInt();
        rkey = in.getInt();
        nextResource = in.getInt();
        ackEvery = in.getInt();
        owed = in.getInt();
        ackSyndrome = in.getInt();
        ackEveryDuplicate = in.getBoolean();
        credits = in.getBoolean();
        refuseExcess = in.getBoolean();
        nakSent = in.getBoolean();
        dropping = in.getBoolean();
        receiveHeld = in.getBoolean();
        received = in.getLong();
        remaining = in.getLong();
        va = in.getLong();
        resize(maxDestRdAtomic, 0, 0);
        for (long[] column : columns()) {
            in.getLongs(column);
        }
    }

    private long[][] columns() {
        return new long[][] {kind, open, first, count, resourceVa, resourceKey, resourceLength, original};
    }
}

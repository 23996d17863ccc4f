package dev.clockwire.pcie.endpoint;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** The tags of a requester: the one free for longest is used next, and each knows which part of which read it stands for. */
final class TagPool implements State {
    /** Nothing is wrong. */
    static final byte FINE = 0;
    /** Data that came are marked as wrong. */
    static final byte POISONED = 1;
    /** A completion is missing or made no sense: the request times out. */
    static final byte SPOILED = 2;

    private static final byte RESTING = 3;
    private static final int FIRST_TEN_BIT_TAG = 256;

    /** Slot of the read that a tag belongs to. */
    final int[] slot;
    /** Bytes asked for. */
    final int[] bytes;
    /** Where they start in the read. */
    final int[] start;

    /** Bytes that have come, where completions are checked. */
    final int[] came;
    /** When each request was issued, in ps. */
    final long[] since;
    /** What is wrong with the completions of a tag that is in use, or until when a tag that timed out must rest. */
    final byte[] flaw;

    private final long[] restsUntil;
    private int resting;
    private final int[] ring;
    /** Tags in use by the rules in force; the ring has so many places. */
    private int usable;

    private int base;
    /** What is to be in force when no tag is in use; 0 for no change. */
    private int wanted;

    private int first;
    private int free;

    /** Creates a pool; more than 256 tags are ten-bit tags, which start at 256. */
    TagPool(int count) {
        base = count > FIRST_TEN_BIT_TAG ? FIRST_TEN_BIT_TAG : 0;
        usable = count;
        slot = new int[count];
        bytes = new int[count];
        start = new int[count];
        came = new int[count];
        since = new long[count];
        flaw = new byte[count];
        restsUntil = new long[count];
        ring = new int[count];
        for (int i = 0; i < count; i++) {
            ring[i] = i;
            slot[i] = ReadTable.NONE;
        }
        free = count;
    }

    /** Uses at most so many tags; more than 256 start at 256. Takes effect when no tag is in use; until then none is given out. */
    void limit(int most) {
        int count = Math.min(most, slot.length);
        wanted = count == usable ? 0 : count;
        change();
    }

    private void change() {
        if (wanted == 0 || free < usable) {
            return;
        }
        usable = wanted;
        wanted = 0;
        base = usable > FIRST_TEN_BIT_TAG ? FIRST_TEN_BIT_TAG : 0;
        first = 0;
        free = usable;
        for (int i = 0; i < usable; i++) {
            ring[i] = i;
        }
    }

    boolean isEmpty() {
        return free == 0 || wanted != 0;
    }

    /** Returns tags that wait for an answer. */
    int inUse() {
        return usable - free - resting;
    }

    int take(int readSlot, int from, int length, long now) {
        int i = ring[first];
        first = first + 1 == usable ? 0 : first + 1;
        free--;
        slot[i] = readSlot;
        start[i] = from;
        bytes[i] = length;
        came[i] = 0;
        since[i] = now;
        flaw[i] = FINE;
        return i + base;
    }

    /** Returns a tag by its index. */
    int tag(int index) {
        return index + base;
    }

    /** Returns a tag in use that was issued at a time or before, -1 if there is none. */
    int issuedBy(long time) {
        for (int i = 0; i < slot.length; i++) {
            if (slot[i] != ReadTable.NONE && since[i] <= time) {
                return i;
            }
        }
        return -1;
    }

    /** Takes a tag out of use without an answer: one that comes late must not be taken for another's. */
    void rest(int index, long until) {
        slot[index] = ReadTable.NONE;
        restsUntil[index] = until;
        flaw[index] = RESTING;
        resting++;
    }

    /** Returns tags to use that have rested long enough; whether there was one. */
    boolean wake(long now) {
        boolean any = false;
        for (int i = 0; i < slot.length && resting > 0; i++) {
            if (flaw[i] == RESTING && slot[i] == ReadTable.NONE && restsUntil[i] <= now) {
                flaw[i] = FINE;
                resting--;
                give(i);
                any = true;
            }
        }
        return any;
    }

    /** Returns when somebody has to look again: a tag may time out or has rested. {@code Long.MAX_VALUE} if nothing will. */
    long nextLook(long timeoutPs) {
        long next = Long.MAX_VALUE;
        for (int i = 0; i < slot.length; i++) {
            if (slot[i] != ReadTable.NONE && timeoutPs > 0) {
                next = Math.min(next, since[i] + timeoutPs);
            } else if (flaw[i] == RESTING) {
                next = Math.min(next, restsUntil[i]);
            }
        }
        return next;
    }

    /** Returns the index of a tag that is in use, -1 if the tag is unknown or free. */
    int index(int tag) {
        int i = tag - base;
        return i >= 0 && i < slot.length && slot[i] != ReadTable.NONE ? i : -1;
    }

    void give(int index) {
        slot[index] = ReadTable.NONE;
        int at = first + free;
        ring[at >= usable ? at - usable : at] = index;
        free++;
        change();
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(usable);
        out.putInt(base);
        out.putInt(wanted);
        out.putInt(first);
        out.putInt(free);
        for (int i = 0; i < ring.length; i++) {
            out.putInt(ring[i]);
            out.putInt(slot[i]);
            out.putInt(bytes[i]);
            out.putInt(start[i]);
            out.putInt(came[i]);
            out.putLong(since[i]);
            out.putInt(flaw[i]);
            out.putLong(restsUntil[i]);
        }
        out.putInt(resting);
    }

    @Override
    public void load(Snapshot in) {
        usable = in.getInt();
        base = in.getInt();
        wanted = in.getInt();
        first = in.getInt();
        free = in.getInt();
        for (int i = 0; i < ring.length; i++) {
            ring[i] = in.getInt();
            slot[i] = in.getInt();
            bytes[i] = in.getInt();
            start[i] = in.getInt();
            came[i] = in.getInt();
            since[i] = in.getLong();
            flaw[i] = (byte) in.getInt();
            restsUntil[i] = in.getLong();
        }
        resting = in.getInt();
    }
}

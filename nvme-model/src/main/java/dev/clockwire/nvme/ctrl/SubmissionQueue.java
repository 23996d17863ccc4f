package dev.clockwire.nvme.ctrl;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where commands of the host wait. */
final class SubmissionQueue implements State {
    private static final int CIDS = 1 << 16;

    final int id;
    boolean live;
    long base;
    int size;
    /** Next entry to be asked for. */
    int fetch;
    /** Next entry that has not come: what completions tell the host. */
    int head;

    int tail;
    int completion;
    /** 0 urgent to 3 low. */
    int priority;
    /** Commands fetched and not completed. */
    int inside;
    /** Entries that reads under way will bring. */
    int coming;
    /** The host wants it gone; it goes when nothing is inside, or on its way: what comes later would come to a new queue of the same number. */
    boolean deleting;
    /** Slot of a first command of a fused pair that waits for the second, -1 if none does. */
    int fusedFirst = -1;

    /** Identifiers of the commands inside, a bit each. */
    private long[] ids = {};

    /** Who watches its commands; not part of the state. */
    @Nullable
    CommandTap tap;

    SubmissionQueue(int id) {
        this.id = id;
    }

    void open(long address, int entries, int cq, int rank) {
        live = true;
        deleting = false;
        base = address;
        size = entries;
        completion = cq;
        priority = rank;
        fetch = 0;
        head = 0;
        tail = 0;
        inside = 0;
        coming = 0;
        fusedFirst = -1;
        Arrays.fill(ids, 0);
    }

    /** A command with an identifier comes in; returns whether no other one inside has it. */
    boolean enter(int cid) {
        if (ids.length == 0) {
            ids = new long[CIDS / Long.SIZE];
        }
        long bit = 1L << cid;
        boolean free = (ids[cid / Long.SIZE] & bit) == 0;
        ids[cid / Long.SIZE] |= bit;
        return free;
    }

    /** The command that {@link #enter} let in is done. */
    void leave(int cid) {
        ids[cid / Long.SIZE] &= ~(1L << cid);
    }

    /** Returns the entries that may be asked for in one read: up to the tail or the ring's end. */
    int pending() {
        return tail >= fetch ? tail - fetch : size - fetch;
    }

    /** Whether a new tail can be: inside the ring, and not so far that it passes what was not fetched. */
    boolean accepts(int value) {
        return value < size;
    }

    /** Whether no command is inside or on its way. */
    boolean isEmpty() {
        return inside == 0 && coming == 0;
    }

    @Override
    public void save(Snapshot out) {
        out.putBoolean(live);
        out.putLong(base);
        out.putInt(size);
        out.putInt(fetch);
        out.putInt(head);
        out.putInt(tail);
        out.putInt(completion);
        out.putInt(priority);
        out.putInt(inside);
        out.putInt(coming);
        out.putBoolean(deleting);
        out.putInt(fusedFirst);
    }

    @Override
    public void load(Snapshot in) {
        live = in.getBoolean();
        base = in.getLong();
        size = in.getInt();
        fetch = in.getInt();
        head = in.getInt();
        tail = in.getInt();
        completion = in.getInt();
        priority = in.getInt();
        inside = in.getInt();
        coming = in.getInt();
        deleting = in.getBoolean();
        fusedFirst = in.getInt();
        Arrays.fill(ids, 0); // the commands inside come in again
    }
}

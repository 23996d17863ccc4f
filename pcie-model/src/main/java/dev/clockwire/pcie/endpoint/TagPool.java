package dev.clockwire.pcie.endpoint;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** The tags of a requester: the one free for longest is used next, and each knows which part of which read it stands for. */
final class TagPool implements State {
    private static final int FIRST_TEN_BIT_TAG = 256;

    /** Slot of the read that a tag belongs to. */
    final int[] slot;
    /** Bytes asked for. */
    final int[] bytes;
    /** Where they start in the read. */
    final int[] start;

    private final int base;
    private final int[] ring;
    private int first;
    private int free;

    /** Creates a pool; more than 256 tags are ten-bit tags, which start at 256. */
    TagPool(int count) {
        base = count > FIRST_TEN_BIT_TAG ? FIRST_TEN_BIT_TAG : 0;
        slot = new int[count];
        bytes = new int[count];
        start = new int[count];
        ring = new int[count];
        for (int i = 0; i < count; i++) {
            ring[i] = i;
            slot[i] = ReadTable.NONE;
        }
        free = count;
    }

    boolean isEmpty() {
        return free == 0;
    }

    int inUse() {
        return ring.length - free;
    }

    int take(int readSlot, int from, int length) {
        int i = ring[first];
        first = first + 1 == ring.length ? 0 : first + 1;
        free--;
        slot[i] = readSlot;
        start[i] = from;
        bytes[i] = length;
        return i + base;
    }

    /** Returns the index of a tag that is in use, -1 if the tag is unknown or free. */
    int index(int tag) {
        int i = tag - base;
        return i >= 0 && i < slot.length && slot[i] != ReadTable.NONE ? i : -1;
    }

    void give(int index) {
        slot[index] = ReadTable.NONE;
        int at = first + free;
        ring[at >= ring.length ? at - ring.length : at] = index;
        free++;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(first);
        out.putInt(free);
        for (int i = 0; i < ring.length; i++) {
            out.putInt(ring[i]);
            out.putInt(slot[i]);
            out.putInt(bytes[i]);
            out.putInt(start[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        first = in.getInt();
        free = in.getInt();
        for (int i = 0; i < ring.length; i++) {
            ring[i] = in.getInt();
            slot[i] = in.getInt();
            bytes[i] = in.getInt();
            start[i] = in.getInt();
        }
    }
}

package dev.clockwire.nic.mac;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** When the last packets start on the line, and the notices that wait for their packet's start. */
final class MacState implements State {
    /** Packets that may wait for the line inside the MAC. */
    static final int FIFO = 4;

    /** Packets whose start the send engine waits for. */
    static final int NOTICES = 64;

    private final long[] starts = new long[FIFO];
    private int at;
    long nextEntry;
    private final long[] marks = new long[NOTICES];
    private final long[] dues = new long[NOTICES];
    private int head;
    int noticeCount;
    /** The receiver at the other end has no room. */
    boolean held;
    /** It is the Ethernet frames' turn. */
    boolean ethernetTurn;

    /** Returns when the packet FIFO places back starts. */
    long oldestStart() {
        return starts[at];
    }

    void started(long ps) {
        starts[at] = ps;
        at = at + 1 == FIFO ? 0 : at + 1;
    }

    void addNotice(long mark, long due) {
        int i = head + noticeCount++ & NOTICES - 1;
        marks[i] = mark;
        dues[i] = due;
    }

    long noticeDue() {
        return dues[head];
    }

    long removeNotice() {
        long mark = marks[head];
        head = head + 1 & NOTICES - 1;
        noticeCount--;
        return mark;
    }

    @Override
    public void save(Snapshot out) {
        out.putLongs(starts);
        out.putInt(at);
        out.putLong(nextEntry);
        out.putBoolean(held);
        out.putBoolean(ethernetTurn);
        out.putInt(noticeCount);
        for (int i = 0; i < noticeCount; i++) {
            out.putLong(marks[head + i & NOTICES - 1]);
            out.putLong(dues[head + i & NOTICES - 1]);
        }
    }

    @Override
    public void load(Snapshot in) {
        in.getLongs(starts);
        at = in.getInt();
        nextEntry = in.getLong();
        held = in.getBoolean();
        ethernetTurn = in.getBoolean();
        head = 0;
        noticeCount = 0;
        for (int n = in.getInt(); n > 0; n--) {
            long mark = in.getLong();
            addNotice(mark, in.getLong());
        }
    }
}

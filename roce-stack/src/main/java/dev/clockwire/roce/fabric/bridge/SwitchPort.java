package dev.clockwire.roce.fabric.bridge;

import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.wire.Frame;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** What a port of a switch sends: eight queues, who is next, what the far end has paused, and what it owes the far end to say. */
final class SwitchPort implements State {
    static final long NEVER = Long.MAX_VALUE;
    static final int ALL = 0xFF;

    final int number;
    final LinkEnd end;
    final PauseState paused;
    final PortCounters counts = new PortCounters();
    final FrameQueue[] queues = new FrameQueue[SharedBuffer.CLASSES];
    final Marker[] markers;
    private final ClassScheduler scheduler;

    /** Bit n: class n has frames. */
    private int waiting;
    /** Bit n: the pause of class n is not obeyed. */
    int ignored;
    /** Bit n: class n has flow control here, as the two ends of the cable have agreed: it is held, and its pauses are obeyed. */
    int agreed = ALL;
    /** Bit n: the far end is asked not to send class n. */
    int held;
    /** Bit n: the far end must be told about class n. */
    int owed;
    /** A timer that says pauses again runs. */
    boolean refreshing;
    /** When the earliest wake-up is due that was asked for. */
    long wakeAt = NEVER;

    final long[] lastSent = new long[SharedBuffer.CLASSES];

    SwitchPort(int number, LinkEnd end, BridgeSpec spec, Marker[] markers) {
        this.number = number;
        this.end = end;
        this.markers = markers;
        paused = new PauseState(end.spec().kbps(), spec.pause().expires());
        scheduler = new ClassScheduler(
                spec.quanta().stream().mapToInt(Integer::intValue).toArray());
        for (int c = 0; c < queues.length; c++) {
            queues[c] = new FrameQueue();
        }
    }

    void add(int c, Frame frame, int slot, int occupied) {
        queues[c].add(frame, slot, occupied);
        waiting |= 1 << c;
    }

    /** Returns the class that sends next, -1 if none may at a time. */
    int next(long now) {
        if (waiting == 0) {
            return -1;
        }
        return scheduler.choose(waiting & ~(paused.settle(now) & agreed & ~ignored), queues);
    }

    Frame take(int c, long now) {
        FrameQueue queue = queues[c];
        Frame frame = queue.take();
        if (queue.isEmpty()) {
            waiting &= ~(1 << c);
        }
        lastSent[c] = now;
        return frame;
    }

    /** Returns the classes with frames. */
    int waiting() {
        return waiting;
    }

    /** Makes a pause frame of what is owed. */
    void say(PauseFrame frame, PauseSpec spec) {
        frame.reset();
        if (spec.wholeLink()) {
            frame.wholeLink = true;
            frame.quanta[0] = held == 0 ? 0 : spec.quanta();
        }
        for (int c = 0; c < SharedBuffer.CLASSES; c++) {
            if ((owed >> c & 1) != 0 && !spec.wholeLink()) {
                frame.set(c, (held >> c & 1) == 0 ? 0 : spec.quanta());
            }
        }
        counts.pause(owed & held, owed & ~held);
        owed = 0;
    }

    @Override
    public void save(Snapshot out) {
        paused.save(out);
        counts.save(out);
        scheduler.save(out);
        for (int c = 0; c < queues.length; c++) {
            queues[c].save(out);
            markers[c].save(out);
        }
        out.putInt(waiting);
        out.putInt(ignored);
        out.putInt(agreed);
        out.putInt(held);
        out.putInt(owed);
        out.putBoolean(refreshing);
        out.putLong(wakeAt);
        out.putLongs(lastSent);
    }

    @Override
    public void load(Snapshot in) {
        paused.load(in);
        counts.load(in);
        scheduler.load(in);
        for (int c = 0; c < queues.length; c++) {
            queues[c].load(in);
            markers[c].load(in);
        }
        waiting = in.getInt();
        ignored = in.getInt();
        agreed = in.getInt();
        held = in.getInt();
        owed = in.getInt();
        refreshing = in.getBoolean();
        wakeAt = in.getLong();
        in.getLongs(lastSent);
    }
}

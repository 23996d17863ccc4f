package dev.clockwire.roce.fabric.host;

import dev.clockwire.roce.congestion.NotificationPacing;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** What a light endpoint has done, and whose turn it is. */
final class HostState implements State {
    private static final int FIRST_SIZE = 4;

    /** The flow that is looked at first. */
    int turn;
    /** Flows that have begun and not ended, ascending. */
    int[] active = new int[FIRST_SIZE];
    /** How many of them. */
    int open;

    /** Bit n: a pause of priority n stops it. */
    int obeyed;

    long wakeAt = SendFlow.NEVER;
    long dataSent;
    long marked;
    long cnpsSent;
    long cnpsTaken;
    long pausesTaken;
    /** Times the switch stopped a class. */
    final long[] stopped = new long[PauseFrame.CLASSES];
    /** Notifications of the whole port. */
    final NotificationPacing pacing = new NotificationPacing();

    /** A flow has begun. */
    void open(int flow) {
        if (open == active.length) {
            active = Arrays.copyOf(active, open * 2);
        }
        int at = open++;
        while (at > 0 && active[at - 1] > flow) {
            active[at] = active[at - 1];
            at--;
        }
        active[at] = flow;
    }

    /** A flow has ended. */
    void close(int flow) {
        int at = Arrays.binarySearch(active, 0, open, flow);
        open--;
        System.arraycopy(active, at + 1, active, at, open - at);
    }

    /** Returns the place among the active flows at which the round begins. */
    int first() {
        int at = Arrays.binarySearch(active, 0, open, turn);
        at = at < 0 ? -at - 1 : at;
        return at == open ? 0 : at;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(turn);
        out.putInt(open);
        for (int i = 0; i < open; i++) {
            out.putInt(active[i]);
        }
        out.putInt(obeyed);
        out.putLong(wakeAt);
        out.putLong(dataSent);
        out.putLong(marked);
        out.putLong(cnpsSent);
        out.putLong(cnpsTaken);
        out.putLong(pausesTaken);
        out.putLongs(stopped);
        pacing.save(out);
    }

    @Override
    public void load(Snapshot in) {
        turn = in.getInt();
        open = in.getInt();
        active = new int[Math.max(FIRST_SIZE, open)];
        for (int i = 0; i < open; i++) {
            active[i] = in.getInt();
        }
        obeyed = in.getInt();
        wakeAt = in.getLong();
        dataSent = in.getLong();
        marked = in.getLong();
        cnpsSent = in.getLong();
        cnpsTaken = in.getLong();
        pausesTaken = in.getLong();
        in.getLongs(stopped);
        pacing.load(in);
    }
}

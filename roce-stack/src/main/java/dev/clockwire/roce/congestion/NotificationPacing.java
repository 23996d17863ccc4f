package dev.clockwire.roce.congestion;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** The rule of a notification point for one flow or port: the first mark is told at once, then one an interval if marks came in it. */
public final class NotificationPacing implements State {
    /** Nothing to do: the notification that waits speaks for this mark too. */
    public static final long TOLD = -1;

    private long next;
    private boolean waiting;

    /** Creates a point that has told nothing yet. */
    public NotificationPacing() {}

    /**
     * A mark came.
     *
     * @return when to tell of it: now, or later (then {@link #told} is called at that time), or {@link #TOLD}
     */
    public long marked(long now, long interval) {
        if (waiting) {
            return TOLD;
        }
        if (now >= next) {
            next = now + interval;
            return now;
        }
        waiting = true;
        return next;
    }

    /** The notification that waited leaves. */
    public void told(long now, long interval) {
        waiting = false;
        next = now + interval;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(next);
        out.putBoolean(waiting);
    }

    @Override
    public void load(Snapshot in) {
        next = in.getLong();
        waiting = in.getBoolean();
    }
}

package dev.clockwire.nic.complete;

import dev.clockwire.nic.stage.Journal;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** Followed operations whose completion is written and whose event is held back by moderation, each with the time since when. */
final class HeldJourneys implements State {
    /** More are not kept: an event that waits for that many completions is a mistake of the settings. */
    private static final int MOST = 1 << 14;

    private long[] journeys = {};
    private long[] since = {};
    private int[] stages = {};
    private int count;

    /**
     * Adds one.
     *
     * @param stage in which it waits for the event
     * @param at since when
     */
    void add(long journey, int stage, long at) {
        if (journey == 0 || count == MOST) {
            return;
        }
        if (count == journeys.length) {
            journeys = Arrays.copyOf(journeys, Math.max(16, 2 * count));
            since = Arrays.copyOf(since, Math.max(16, 2 * count));
            stages = Arrays.copyOf(stages, Math.max(16, 2 * count));
        }
        journeys[count] = journey;
        stages[count] = stage;
        since[count++] = at;
    }

    /** What held them ends at a time; they are held by another place from then on, or by none if that is the same. */
    void release(Journal journal, long at, HeldJourneys next) {
        for (int i = 0; i < count; i++) {
            journal.delayedIn(stages[i], journeys[i], journal.causes.moderation, since[i], at);
            if (next != this) {
                next.add(journeys[i], stages[i], at);
            }
        }
        count = 0;
    }

    void clear() {
        count = 0;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            out.putLong(journeys[i]);
            out.putInt(stages[i]);
            out.putLong(since[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        count = 0;
        for (int n = in.getInt(); n > 0; n--) {
            long journey = in.getLong();
            int stage = in.getInt();
            add(journey, stage, in.getLong());
        }
    }
}

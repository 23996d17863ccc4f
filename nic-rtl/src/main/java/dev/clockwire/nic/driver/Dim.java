package dev.clockwire.nic.driver;

import org.jspecify.annotations.Nullable;

/**
 * Dynamic interrupt moderation of received frames as Linux has it ({@code net_dim}, lib/dim: dim.c, net_dim.c): after each 64 events the
 * rates since the last look are compared with those before, and the next of five pairs of time and frames is tried, up or down. Numbers and
 * names are the source's; the pairs are those for periods that begin with an event (DIM_CQ_PERIOD_MODE_START_FROM_EQE).
 */
final class Dim {
    /** Microseconds of each level; frames are the same in all. */
    private static final int[] USECS = {1, 8, 64, 128, 256};

    private static final int FRAMES = 256;
    private static final int FIRST_LEVEL = 1;
    private static final int EVENTS = 64;
    private static final int TIRED = 2 * USECS.length;
    private static final long PS_PER_US = 1_000_000;
    private static final long US_PER_MS = 1000;

    /** In which direction it looks. */
    enum Tune {
        /** It stays until the rates change. */
        PARKING_ON_TOP,
        /** It stays until it has rested. */
        PARKING_TIRED,
        /** Towards longer periods. */
        GOING_RIGHT,
        /** Towards shorter periods. */
        GOING_LEFT
    }

    /** Rates per millisecond, rounded up. */
    private record Rates(long bytes, long frames, long events) {}

    private int level = FIRST_LEVEL;
    private Tune tune = Tune.PARKING_ON_TOP;
    private int stepsRight;
    private int stepsLeft;
    private int tired;
    private Rates before = new Rates(0, 0, 0);
    /** What was seen when the measurement began; there is none while a new level is being set. */
    private boolean measuring;

    private boolean setting;
    private long startPs;
    private long startEvents;
    private long startFrames;
    private long startBytes;

    /** Returns the microseconds of the level. */
    int usecs() {
        return USECS[level];
    }

    /** Returns the frames of the level. */
    int frames() {
        return FRAMES;
    }

    Tune tune() {
        return tune;
    }

    /** Takes what has come so far; returns whether another level is to be set. */
    boolean sample(long ps, long events, long frames, long bytes) {
        if (setting) {
            return false;
        }
        if (measuring) {
            if (events - startEvents < EVENTS) {
                return false;
            }
            Rates now = rates(ps, frames, bytes);
            if (now != null && decide(now)) {
                setting = true;
                measuring = false;
                return true;
            }
        }
        measuring = true;
        startPs = ps;
        startEvents = events;
        startFrames = frames;
        startBytes = bytes;
        return false;
    }

    /** The level is set: measures anew. */
    void isSet() {
        setting = false;
    }

    private @Nullable Rates rates(long ps, long frames, long bytes) {
        long us = (ps - startPs) / PS_PER_US;
        return us == 0
                ? null
                : new Rates(perMs(bytes - startBytes, us), perMs(frames - startFrames, us), perMs(EVENTS, us));
    }

    private static long perMs(long n, long us) {
        return (n * US_PER_MS + us - 1) / us;
    }

    private static boolean differs(long now, long then) {
        return then != 0 && 100 * Math.abs(now - then) / then > 10;
    }

    /** Returns 1 if the rates are better than before, -1 if they are worse, 0 if they are the same. */
    private int compare(Rates now) {
        if (before.bytes == 0) {
            return now.bytes != 0 ? 1 : 0;
        }
        if (differs(now.bytes, before.bytes)) {
            return now.bytes > before.bytes ? 1 : -1;
        }
        if (before.frames == 0) {
            return now.frames != 0 ? 1 : 0;
        }
        if (differs(now.frames, before.frames)) {
            return now.frames > before.frames ? 1 : -1;
        }
        if (before.events != 0 && differs(now.events, before.events)) {
            return now.events < before.events ? 1 : -1;
        }
        return 0;
    }

    private boolean decide(Rates now) {
        Tune was = tune;
        int old = level;
        switch (tune) {
            case PARKING_ON_TOP -> {
                if (compare(now) != 0) {
                    exitParking();
                }
            }
            case PARKING_TIRED -> {
                if (--tired == 0) {
                    exitParking();
                }
            }
            default -> look(now);
        }
        if (was != Tune.PARKING_ON_TOP || tune != Tune.PARKING_ON_TOP) {
            before = now;
        }
        return level != old;
    }

    private void look(Rates now) {
        if (compare(now) != 1) {
            turn();
        }
        if (isOnTop()) {
            park(Tune.PARKING_ON_TOP);
            tired = 0;
        } else if (tired == TIRED) {
            park(Tune.PARKING_TIRED);
        } else if (!step()) {
            park(Tune.PARKING_ON_TOP);
            tired = 0;
        }
    }

    private void turn() {
        if (tune == Tune.GOING_RIGHT) {
            tune = Tune.GOING_LEFT;
            stepsLeft = 0;
        } else {
            tune = Tune.GOING_RIGHT;
            stepsRight = 0;
        }
    }

    private boolean isOnTop() {
        return tune == Tune.GOING_RIGHT ? stepsLeft > 1 && stepsRight == 1 : stepsRight > 1 && stepsLeft == 1;
    }

    private void park(Tune how) {
        stepsRight = 0;
        stepsLeft = 0;
        tune = how;
    }

    private void exitParking() {
        tune = level > 0 ? Tune.GOING_LEFT : Tune.GOING_RIGHT;
        if (tired != TIRED) {
            boolean unused = step();
        }
    }

    /** Goes to the next level; false at an edge. */
    private boolean step() {
        if (tune == Tune.GOING_RIGHT) {
            if (level == USECS.length - 1) {
                return false;
            }
            level++;
            stepsRight++;
        } else {
            if (level == 0) {
                return false;
            }
            level--;
            stepsLeft++;
        }
        tired++;
        return true;
    }
}

package dev.clockwire.nic.complete;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * Holds the interrupt of an event queue back, as INT_MOD_CTRL says: it goes out when as many entries wait as the count, or when the period
 * is over since the first of them was written, whichever is earlier. A period of 0 is over at once.
 */
final class InterruptModerator implements State {
    private static final int PERIOD = 0xFFFF;
    private static final int EXPONENT = 16;
    private static final int EXPONENT_MASK = 0xF;
    private static final int COUNT = 24;

    private final Clock clock;
    private int waiting;
    private long due;
    private int round;

    /** Creates a moderator that counts the cycles of a clock. */
    InterruptModerator(Clock clock) {
        this.clock = clock;
    }

    /** Returns the period that a register says, in core clocks. */
    static long periodCycles(int register) {
        return (long) (register & PERIOD) << (register >>> EXPONENT & EXPONENT_MASK);
    }

    /** Takes note of an entry that is written now; returns whether the interrupt goes out now. */
    boolean written(int register, long now) {
        long period = periodCycles(register);
        int count = register >>> COUNT;
        waiting++;
        if (period == 0 || (count > 0 && waiting >= count)) {
            fire();
            return true;
        }
        if (waiting == 1) {
            due = clock.edgeTime(clock.edgeAfter(now - 1) + period);
        }
        return false;
    }

    /** Whether the entry written last is the first that waits: {@link #due} is new. */
    boolean started() {
        return waiting == 1;
    }

    /** Returns when the period of what waits is over: so many edges behind the one at or after the first entry. */
    long due() {
        return due;
    }

    /** Returns a number of what waits now, for {@link #expired}. */
    int round() {
        return round;
    }

    /** The period of a round is over; returns whether the interrupt goes out now, or went out before. */
    boolean expired(int ofRound) {
        if (waiting == 0 || round != ofRound) {
            return false;
        }
        fire();
        return true;
    }

    private void fire() {
        waiting = 0;
        round++;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(waiting);
        out.putLong(due);
        out.putInt(round);
    }

    @Override
    public void load(Snapshot in) {
        waiting = in.getInt();
        due = in.getLong();
        round = in.getInt();
    }
}

package dev.clockwire.sim;

import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * Pending events by (time, key). Events are numbers of rows in the queue; a row stays readable after {@link #pop} until the next
 * insert. An abstract class: while only one kind is loaded its calls need no dispatch.
 */
abstract class EventQueue {
    /** Bit of the key that says that the row has a token. */
    static final int HAS_TOKEN = 0x80;

    /** No event is earlier than this. */
    long bound = Long.MAX_VALUE;
    /** Events in the queue, dead timer entries included. */
    int size;
    /** Entries of timers that were moved to an earlier time or surfaced otherwise. */
    int dead;

    /** Adds an event; {@code now} is the time being simulated and {@code at} is later. */
    abstract void insert(long now, long at, long key, long a, long b, @Nullable Token token);

    /** Returns the time of the earliest event if it is at most {@code limit}, else {@code Long.MAX_VALUE}. */
    abstract long next(long limit);

    /** Returns the time of the earliest event as far as {@link #next} has looked: enough to see all events of one instant. */
    abstract long openTop();

    /** Takes out the event that {@link #next} found. */
    abstract int pop();

    abstract long key(int e);

    abstract long a(int e);

    abstract long b(int e);

    /** Returns the token of a row and forgets it. */
    abstract @Nullable Token token(int e);

    /** Calls for every event, in no particular order. The visitor must not touch the queue. */
    abstract void each(Visitor v);

    /** Forgets everything. */
    abstract void clear();

    /** Looks at an event without taking it. */
    interface Visitor {
        void event(long at, long key, long a, long b, @Nullable Token token);
    }

    /** Knows which entries no longer stand for a deadline. */
    interface Graveyard {
        boolean isDead(long at, long key);
    }
}

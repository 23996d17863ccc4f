package dev.clockwire.sim;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Token;
import java.util.Comparator;
import java.util.Iterator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The queue without any cleverness: a sorted set of objects. The timing wheel is judged by it. */
final class SortedQueue extends EventQueue {
    private final TreeSet<Event> events =
            new TreeSet<>(Comparator.comparingLong(Event::at).thenComparing(Event::key));
    private @Nullable Event taken;

    @Override
    void insert(long now, long at, long key, long a, long b, @Nullable Token token) {
        events.add(new Event(at, token == null ? key : key | HAS_TOKEN, a, b, token));
        settle();
    }

    /** Takes back the one event of a port at a time. */
    void remove(long at, long ordinal) {
        for (Iterator<Event> i =
                        events.tailSet(new Event(at, ordinal, 0, 0, null)).iterator();
                i.hasNext(); ) {
            Event e = i.next();
            if (e.at != at || (e.key & EventPort.ORDINAL) != ordinal) {
                break;
            }
            i.remove();
        }
        settle();
    }

    private void settle() {
        size = events.size();
        bound = events.isEmpty() ? Long.MAX_VALUE : events.first().at;
    }

    @Override
    long next(long limit) {
        return bound <= limit ? bound : Long.MAX_VALUE;
    }

    @Override
    long openTop() {
        return bound;
    }

    @Override
    int pop() {
        taken = events.pollFirst();
        settle();
        return 0;
    }

    private Event taken() {
        if (taken == null) {
            throw new InvariantViolation("nothing was taken");
        }
        return taken;
    }

    @Override
    long key(int e) {
        return taken().key;
    }

    @Override
    long a(int e) {
        return taken().a;
    }

    @Override
    long b(int e) {
        return taken().b;
    }

    @Override
    @Nullable
    Token token(int e) {
        return taken().token;
    }

    @Override
    void each(Visitor v) {
        for (Event e : events) {
            v.event(e.at, e.key, e.a, e.b, e.token);
        }
    }

    @Override
    void clear() {
        events.clear();
        dead = 0;
        settle();
    }

    private record Event(
            long at, long key, long a, long b, @Nullable Token token) {}
}

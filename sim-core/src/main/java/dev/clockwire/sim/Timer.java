package dev.clockwire.sim;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * One deadline that can be moved and cancelled without garbage. Moving it later is a store: the queued entry is queued again when it
 * surfaces. Moving it earlier adds an entry and leaves a dead one.
 */
public abstract class Timer extends EventPort {
    static final int ENTRY = 127;
    static final long OFF = Long.MAX_VALUE;

    private final boolean counted;
    long deadline = OFF;
    /** Time of the one living entry in the queue. */
    long queued = OFF;

    /** Creates a timer that is off. */
    protected Timer(SimNode target, String name) {
        this(target, name, true);
    }

    /** Creates a timer of the kernel itself, which is not counted as an event of the model. */
    Timer(SimNode target, String name, boolean counted) {
        super(target, name);
        this.counted = counted;
    }

    /** Called in phase 1 of the instant the timer was armed for. The timer is off and may be armed again. */
    protected abstract void expired(long at);

    /** Sets the deadline, replacing another one; {@code at} is later than now. */
    public final void arm(long at) {
        if (at <= sim.now) {
            throw new InvariantViolation(path(), sim.now, "timer armed for " + at + " ps, which is not in the future");
        }
        if (sim.exhaustive) {
            unqueue();
        }
        deadline = at;
        if (at < queued) {
            if (queued != OFF) {
                sim.queue.dead++;
            }
            enqueue(at);
        }
    }

    /** Takes the deadline back, if there is one. */
    public final void cancel() {
        deadline = OFF;
        if (sim.exhaustive) {
            unqueue();
        }
    }

    /** Returns whether a deadline is set. */
    public final boolean armed() {
        return deadline != OFF;
    }

    /** Returns the deadline in ps, {@code Long.MAX_VALUE} if there is none. */
    public final long deadline() {
        return deadline;
    }

    @Override
    protected final void event(int kind, long a, long b, @Nullable Token token) {
        throw new InvariantViolation(path(), sim.now, "a timer takes no events");
    }

    /** Queues the entry of a deadline. */
    final void enqueue(long at) {
        queued = at;
        sim.send(this, at, ENTRY, 0, 0, null);
    }

    /** Without shortcuts a moved deadline leaves the queue at once. */
    private void unqueue() {
        if (queued != OFF) {
            sim.withdraw(this, queued);
            queued = OFF;
        }
    }

    /** An entry surfaced; returns whether the model saw a deadline. */
    final boolean surfaced(long t) {
        if (t != queued) {
            sim.queue.dead--;
            return false;
        }
        queued = OFF;
        if (deadline == t) {
            deadline = OFF;
            expired(t);
            return counted;
        }
        if (deadline != OFF) {
            enqueue(deadline);
        }
        return false;
    }
}

package dev.clockwire.sim.fault;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;

/**
 * One rule at one place. It is asked about everything that passes there, in the order of time, and says whether the rule hits
 * it. Part of the state of the node that asks.
 */
public final class FaultGate implements State {
    private final FaultRule rule;
    private final RandomStream random;
    private final FaultTrigger trigger;
    private final long[] numbers;
    private long seen;
    private long hits;
    private int next;
    /** Until then everything that matches is hit. */
    private long until = Long.MIN_VALUE;
    /** An event has been seen, a time has come. */
    private boolean over;
    /** The event has been seen, and nothing that matches since. */
    private boolean armed;

    /**
     * Creates the gate of a rule.
     *
     * @param random a stream of its own
     */
    public FaultGate(FaultRule rule, RandomStream random) {
        this.rule = rule;
        this.random = random;
        trigger = rule.trigger();
        if (trigger instanceof FaultTrigger.AtStep at) {
            throw new ConfigurationException("fault " + rule.name() + ": nothing here knows of step " + at.step());
        }
        numbers = trigger instanceof FaultTrigger.Frames f
                ? f.numbers().stream().mapToLong(Long::longValue).toArray()
                : new long[0];
    }

    /** Returns the rule. */
    public FaultRule rule() {
        return rule;
    }

    /** Returns the rule's random stream, for what the action draws. */
    public RandomStream random() {
        return random;
    }

    /** Returns how many things were hit. */
    public long hits() {
        return hits;
    }

    /** Says that what was hit last has not what the action is about. */
    public void missed() {
        hits--;
    }

    /**
     * Returns whether the rule hits what passes now.
     *
     * @param ps time it passes, not before that of the call before
     */
    public boolean hits(long ps, Token thing) {
        if (trigger instanceof FaultTrigger.AtEvent event
                && !over
                && event.shows().matches(thing)) {
            over = true;
            armed = true;
        }
        return rule.filter().matches(thing) && hits(ps);
    }

    /**
     * Returns whether the rule hits the next of the things that have no token to show; filter and event are not asked.
     *
     * @param ps time it passes, not before that of the call before
     */
    public boolean hits(long ps) {
        seen++;
        boolean fires = fires(ps);
        if (fires && rule.windowPs() > 0 && !(trigger instanceof FaultTrigger.At)) {
            until = ps + rule.windowPs();
        }
        boolean hit = fires || ps < until;
        hits += hit ? 1 : 0;
        return hit;
    }

    private boolean fires(long ps) {
        if (trigger instanceof FaultTrigger.Probability chance) {
            return random.chance(chance.p());
        }
        if (trigger instanceof FaultTrigger.Frames) {
            boolean now = next < numbers.length && numbers[next] == seen;
            next += now ? 1 : 0;
            return now;
        }
        if (trigger instanceof FaultTrigger.At at) {
            return comesAt(ps, at.ps());
        }
        boolean event = armed;
        armed = false;
        return event || trigger instanceof FaultTrigger.Always;
    }

    /** The first thing from a time on, or all things of a window. */
    private boolean comesAt(long ps, long at) {
        if (ps < at || over) {
            return false;
        }
        if (rule.windowPs() > 0) {
            return ps - at < rule.windowPs();
        }
        over = true;
        return true;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(seen);
        out.putLong(hits);
        out.putInt(next);
        out.putLong(until);
        out.putBoolean(over);
        out.putBoolean(armed);
        random.save(out);
    }

    @Override
    public void load(Snapshot in) {
        seen = in.getLong();
        hits = in.getLong();
        next = in.getInt();
        until = in.getLong();
        over = in.getBoolean();
        armed = in.getBoolean();
        random.load(in);
    }
}

package dev.clockwire.roce.congestion;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * The sender's side of DCQCN for one queue pair, as the paper has it, in a block that counts cycles: a {@link RateMachine} under the paper's rules, whose unit of time is the cycle. A notification cuts the rate by alpha/2 and raises alpha; time and
 * volume raise it again in fast recovery, additive and hyper increase. Rates have 16 binary places of a bit/s, alpha has 48.
 *
 * <p>Deadlines are cycle numbers; {@link #settle} makes up what was due. Within one cycle the order is notification, alpha timer, rate
 * timer, byte counter; the caller reports a notification of a cycle before the bytes of that cycle.
 */
public final class ReactionPoint implements State {
    /** Binary places of the rates. */
    public static final int RATE_BITS = RateMachine.RATE_BITS;

    /** Binary places of alpha. */
    public static final int ALPHA_BITS = RateRules.ALPHA_BITS;

    private final RateMachine machine;
    private long last = -1;

    /** Creates a reaction point at line rate that has never heard of congestion. */
    public ReactionPoint(DcqcnSpec spec) {
        machine = new RateMachine(spec.rules());
    }

    /** A notification arrived in this cycle: nothing else of this cycle has happened yet. */
    public void notification(long cycle) {
        reach(cycle - 1);
        machine.notification(cycle);
    }

    /** Bytes were sent in this cycle, at most the byte counter's period at once. */
    public void sent(long cycle, long count) {
        settle(cycle);
        machine.sent(cycle, count);
    }

    /** Does what was due up to and in this cycle. */
    public void settle(long cycle) {
        reach(cycle);
        machine.settle(cycle);
    }

    private void reach(long cycle) {
        if (cycle < last) {
            throw new InvariantViolation("reaction point asked for cycle " + cycle + " after cycle " + last);
        }
        last = cycle;
    }

    /** Whether a notification has ever come: until then nothing is timed and nothing counted. */
    public boolean active() {
        return machine.active();
    }

    /** Returns the next cycle in which something happens by itself, {@code Long.MAX_VALUE} if never. */
    public long due() {
        return machine.nextTimer();
    }

    /** Returns the present rate R_C in bit/s with binary places. */
    public long current() {
        return machine.current();
    }

    /** Returns the rate to recover to, R_T, in bit/s with binary places. */
    public long target() {
        return machine.target();
    }

    /** Returns alpha with binary places. */
    public long alpha() {
        return machine.alphaBits();
    }

    /** Returns the increases by time since the last notification. */
    public int timeStage() {
        return machine.timeStage();
    }

    /** Returns the increases by volume since the last notification. */
    public int byteStage() {
        return machine.byteStage();
    }

    @Override
    public void save(Snapshot out) {
        machine.save(out);
        out.putLong(last);
    }

    @Override
    public void load(Snapshot in) {
        machine.load(in);
        last = in.getLong();
    }
}

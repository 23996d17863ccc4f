package dev.clockwire.roce.congestion;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * The reaction point of a NIC in integers: alpha has 10 bits and is rounded down each microsecond, so it falls in a staircase and reaches
 * zero after about half a millisecond without a notification; rates are Mbit/s. Width and rounding are part of the behaviour.
 *
 * <p>In each microsecond: alpha, then the check that may cut, then the timer that may raise, and last the notification of that
 * microsecond is latched, which acts from the next one on.
 */
public final class VendorReactionPoint implements State {
    private static final int PERCENT = 100;
    private static final int ALPHA_BITS = 10;
    private static final long NEVER = Long.MAX_VALUE;

    private final VendorDcqcnSpec spec;
    private long now = -1;
    private int current;
    private int target;
    private int alpha;
    private boolean active;
    private boolean alphaLatch;
    private boolean cutLatch;
    private int stage;
    private long checkAt = NEVER;
    private long increaseAt = NEVER;

    /** Creates a reaction point at line rate that has never heard of congestion. */
    public VendorReactionPoint(VendorDcqcnSpec spec) {
        this.spec = spec;
        current = spec.lineRate();
        target = current;
    }

    /** A notification came in this microsecond. */
    public void notification(long us) {
        settle(us);
        if (active) {
            alphaLatch = true;
            cutLatch = true;
            return;
        }
        active = true;
        alpha = spec.initialAlpha();
        target = current;
        cutLatch = true;
        checkAt = us + spec.rateReduceMonitorPeriod();
    }

    /** Evaluates every microsecond up to and with this one. */
    public void settle(long us) {
        if (us < now) {
            throw new InvariantViolation("reaction point asked for microsecond " + us + " after " + now);
        }
        while (now < us) {
            if (active && alpha == 0 && !alphaLatch && !cutLatch) {
                skip(us);
            } else if (active) {
                now++;
                step();
            } else {
                now = us;
            }
        }
    }

    /** Nothing but increases until then: no microsecond before the next of them changes anything. */
    private void skip(long us) {
        long next = Math.min(us, increaseAt);
        if (next > now) {
            now = next;
        }
        if (checkAt <= now) {
            long period = spec.rateReduceMonitorPeriod();
            checkAt += ((now - checkAt) / period + 1) * period;
        }
        if (increaseAt == now) {
            increase();
        }
    }

    private void step() {
        int decayed = (alpha * spec.dceTcpG()) >> ALPHA_BITS;
        alpha = Math.min(VendorDcqcnSpec.ONE - 1, decayed + (alphaLatch ? VendorDcqcnSpec.ONE - spec.dceTcpG() : 0));
        alphaLatch = false;
        if (now == checkAt) {
            checkAt += spec.rateReduceMonitorPeriod();
            if (cutLatch) {
                cut();
            }
        }
        if (now == increaseAt) {
            increase();
        }
    }

    private void cut() {
        if (spec.clampTgtRate() || (spec.clampTgtRateAfterTimeInc() && stage > 0)) {
            target = current;
        }
        long taken = ((long) current * alpha) >> spec.rpgGd();
        long least = (long) current * spec.rpgMinDecFac() / PERCENT;
        current = (int) Math.max(Math.max(current - taken, least), spec.rpgMinRate());
        stage = 0;
        increaseAt = now + spec.rpgTimeReset();
        cutLatch = false;
    }

    private void increase() {
        increaseAt += spec.rpgTimeReset();
        if (stage > spec.rpgThreshold()) {
            target = Math.min(spec.lineRate(), target + spec.rpgHaiRate());
        } else if (stage == spec.rpgThreshold()) {
            target = Math.min(spec.lineRate(), target + spec.rpgAiRate());
        }
        current = (current + target) >> 1;
        stage = Math.min(stage + 1, spec.rpgThreshold() + 1);
    }

    /** Returns the next microsecond in which the rate may change by itself, {@code Long.MAX_VALUE} if never. */
    public long due() {
        return Math.min(cutLatch ? checkAt : NEVER, increaseAt);
    }

    /** Returns the present rate in Mbit/s. */
    public int current() {
        return current;
    }

    /** Returns the rate to recover to in Mbit/s. */
    public int target() {
        return target;
    }

    /** Returns alpha in 1/1024, -1 before the first notification. */
    public int alpha() {
        return active ? alpha : -1;
    }

    /** Returns the increases since the last cut, counted up to the first of hyper increase. */
    public int stage() {
        return stage;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(now);
        out.putInt(current);
        out.putInt(target);
        out.putInt(alpha);
        out.putBoolean(active);
        out.putBoolean(alphaLatch);
        out.putBoolean(cutLatch);
        out.putInt(stage);
        out.putLong(checkAt);
        out.putLong(increaseAt);
    }

    @Override
    public void load(Snapshot in) {
        now = in.getLong();
        current = in.getInt();
        target = in.getInt();
        alpha = in.getInt();
        active = in.getBoolean();
        alphaLatch = in.getBoolean();
        cutLatch = in.getBoolean();
        stage = in.getInt();
        checkAt = in.getLong();
        increaseAt = in.getLong();
    }
}

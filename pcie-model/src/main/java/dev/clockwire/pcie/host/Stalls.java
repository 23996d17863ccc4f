package dev.clockwire.pcie.host;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * When memory takes an access that wants it at a time. Whether a period has a stall, and where, is a function of seed and period: it does
 * not depend on who looks, or how often.
 */
final class Stalls implements State {
    /** Jitter beyond a thousand times its median is none. */
    private static final double MOST = 1_000;

    private final StallSpec spec;
    private final RandomStream chance;
    private final RandomStream jitter;
    private long lastPeriod = -1;
    private long stalledUntil;
    private long stalls;
    private long waitedPs;

    /** Both streams are the owner's state. */
    Stalls(StallSpec spec, RandomStream chance, RandomStream jitter) {
        this.spec = spec;
        this.chance = chance;
        this.jitter = jitter;
    }

    /** Returns when an access begins that wants to at a time. */
    long begin(long at) {
        long t = at;
        if (spec.stalls()) {
            t = spec.onAccess() ? behindOwnStall(at) : behindStall(at);
        }
        if (spec.jitterPs() > 0) {
            t += jitterPs();
        }
        waitedPs += t - at;
        return t;
    }

    private long behindStall(long at) {
        long period = at / spec.periodPs();
        if (!struck(period)) {
            return at;
        }
        long room = spec.periodPs() - spec.durationPs();
        long from = period * spec.periodPs() + (long) (unit(2 * period + 1) * room);
        long end = from + spec.durationPs();
        if (at < from || at >= end) {
            return at;
        }
        if (end != stalledUntil) {
            stalledUntil = end;
            stalls++;
        }
        return end;
    }

    private long behindOwnStall(long at) {
        long period = at / spec.periodPs();
        if (at >= stalledUntil && period > lastPeriod) {
            lastPeriod = period;
            if (struck(period)) {
                stalledUntil = at + spec.durationPs();
                stalls++;
            }
        }
        return Math.max(at, stalledUntil);
    }

    /** Returns whether the period of a time has a stall. */
    boolean isStruck(long at) {
        return spec.stalls() && struck(at / spec.periodPs());
    }

    private boolean struck(long period) {
        return unit(2 * period) < spec.probability();
    }

    private double unit(long index) {
        return (chance.at(index) >>> 11) * 0x1.0p-53;
    }

    /** Box and Muller: two draws for one deviate, so that the stream's counter says how many accesses there were. */
    private long jitterPs() {
        double u = ((jitter.nextLong() >>> 11) + 1) * 0x1.0p-53;
        double v = (jitter.nextLong() >>> 11) * 0x1.0p-53;
        double normal = StrictMath.sqrt(-2 * StrictMath.log(u)) * StrictMath.cos(2 * StrictMath.PI * v);
        return (long) (spec.jitterPs() * Math.min(MOST, StrictMath.exp(spec.jitterSigma() * normal)));
    }

    long stalls() {
        return stalls;
    }

    long waitedPs() {
        return waitedPs;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(lastPeriod);
        out.putLong(stalledUntil);
        out.putLong(stalls);
        out.putLong(waitedPs);
    }

    @Override
    public void load(Snapshot in) {
        lastPeriod = in.getLong();
        stalledUntil = in.getLong();
        stalls = in.getLong();
        waitedPs = in.getLong();
    }
}

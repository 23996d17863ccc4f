package dev.clockwire.pcie.host;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.trace.Causes;
import dev.clockwire.sim.trace.JourneyLog;

/**
 * When a core that is not isolated belongs to somebody else. A function of seed, core and tick: it does not depend on who asks, so a
 * core whose polls are skipped and one that runs them all lose the same intervals. It has no state.
 */
final class CoreSchedule {
    private static final long NEVER = Long.MAX_VALUE;

    private final SchedSpec spec;
    private final RandomStream chance;
    /** Ticks of the cores of a machine, and of two machines, do not coincide. */
    private final long phase;

    CoreSchedule(SchedSpec spec, RandomStream chance) {
        this.spec = spec;
        this.chance = chance;
        phase = (long) (unit(0) * spec.tickPs());
    }

    private double unit(long index) {
        return (chance.at(index) >>> 11) * 0x1.0p-53;
    }

    private long from(long tick) {
        return phase + tick * spec.tickPs();
    }

    private boolean struck(long tick) {
        return unit(tick + 1) < spec.load();
    }

    private long length(long tick) {
        return spec.tickCostPs() + (struck(tick) ? spec.slicePs() : 0);
    }

    /** Returns the number of ticks up to a time, that time included. */
    private long ticks(long t) {
        return t < phase ? 0 : (t - phase) / spec.tickPs() + 1;
    }

    /** Returns the first time from one on at which the core is the program's. */
    long free(long t) {
        long tick = ticks(t) - 1;
        return tick < 0 ? t : Math.max(t, from(tick) + length(tick));
    }

    /** Returns when the core is taken away next after a time and not after another; never, if it is not. */
    long taken(long after, long until) {
        for (long tick = ticks(after); from(tick) <= until; tick++) {
            if (length(tick) > 0) {
                return from(tick);
            }
        }
        return NEVER;
    }

    /** Returns when work is done that begins at a time at which the core is the program's, and when the core is its again. */
    long end(long begin, long workPs) {
        long t = begin;
        long left = workPs;
        for (; ; ) {
            long next = taken(t, t + left);
            if (next == NEVER) {
                return t + left;
            }
            left -= next - t;
            t = free(next);
        }
    }

    /** Returns how many slices others have begun to take until a time. */
    long slices(long until) {
        long n = 0;
        for (long tick = 0; tick < ticks(until); tick++) {
            n += struck(tick) ? 1 : 0;
        }
        return n;
    }

    /** Returns a time some ticks after another, for those who look ahead. */
    long horizon(long t) {
        return t + 64 * spec.tickPs();
    }

    /** Enters what lies between two times into the log as delays of an operation. */
    void record(JourneyLog log, Causes causes, long journey, int stage, long fromPs, long toPs) {
        for (long tick = Math.max(0, ticks(fromPs) - 1); from(tick) < toPs; tick++) {
            long behindTick = from(tick) + spec.tickCostPs();
            long end = from(tick) + length(tick);
            delay(log, causes.interrupt, journey, stage, Math.max(fromPs, from(tick)), Math.min(toPs, behindTick));
            delay(log, causes.preemption, journey, stage, Math.max(fromPs, behindTick), Math.min(toPs, end));
        }
    }

    private static void delay(JourneyLog log, int cause, long journey, int stage, long fromPs, long toPs) {
        log.delay(journey, stage, JourneyLog.WHOLE, cause, fromPs, toPs);
    }
}

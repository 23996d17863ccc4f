package dev.clockwire.sim.parallel;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How far each part has come, told while it runs: no event that it sends later is due before. Who may not go on spins for a moment, then
 * sleeps.
 */
final class Progress {
    /** Between two parts' times, in longs: processors fetch lines in pairs. */
    private static final int APART = 16;

    private final AtomicLongArray times;
    private final int parts;
    private final int spins;
    private volatile int asleep;
    private volatile boolean broken;

    Progress(int parts) {
        this.parts = parts;
        times = new AtomicLongArray((parts + 1) * APART);
        spins = Meeting.spinsOf(parts);
    }

    private static int at(int part) {
        return (part + 1) * APART;
    }

    /** A part will send nothing that is due before a time. */
    void tell(int part, long ps) {
        times.set(at(part), ps);
        if (asleep > 0) {
            wake();
        }
    }

    /** Returns the time before which no part sends anything to this one. */
    long bound(int part) {
        long bound = Long.MAX_VALUE;
        for (int i = 0; i < parts; i++) {
            if (i != part) {
                bound = Math.min(bound, times.get(at(i)));
            }
        }
        return bound;
    }

    /** Waits until the bound is later than a time; returns it, or -1 if a part has failed. */
    long awaitAfter(int part, long ps) {
        for (int i = 0; i < spins && !broken; i++) {
            long bound = bound(part);
            if (bound > ps) {
                return bound;
            }
            Thread.onSpinWait();
        }
        return sleep(part, ps);
    }

    private synchronized long sleep(int part, long ps) {
        boolean interrupted = false;
        asleep++;
        long bound = bound(part);
        while (bound <= ps && !broken) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
            bound = bound(part);
        }
        asleep--;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return broken ? -1 : bound;
    }

    private synchronized void wake() {
        notifyAll();
    }

    /** Lets all go: a part has failed. */
    synchronized void leave() {
        broken = true;
        notifyAll();
    }
}

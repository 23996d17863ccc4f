package dev.clockwire.sim.parallel;

/** Where threads wait for each other: a short spin, since the others are seldom late, then asleep. */
final class Meeting {
    /** Some 100 us: longer than parts are usually late, and not so long that other work on the machine has to wait for it. */
    private static final int SPINS = 4_000;

    private final int parties;
    /** None where threads share processors: who spins keeps the one he waits for from running. */
    private final int spins;

    private int arrived;
    private volatile int round;
    private volatile boolean broken;

    Meeting(int parties) {
        this.parties = parties;
        spins = parties > Runtime.getRuntime().availableProcessors() ? 0 : SPINS;
    }

    /** Waits for all; returns false if one has failed. */
    boolean await() {
        int mine = round;
        synchronized (this) {
            if (++arrived == parties) {
                arrived = 0;
                round = mine + 1;
                notifyAll();
                return !broken;
            }
        }
        for (int i = 0; i < spins; i++) {
            if (round != mine || broken) {
                return !broken;
            }
            Thread.onSpinWait();
        }
        return sleep(mine);
    }

    private synchronized boolean sleep(int mine) {
        boolean interrupted = false;
        while (round == mine && !broken) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !broken;
    }

    /** Lets all go: nobody meets here any more. */
    synchronized void leave() {
        broken = true;
        notifyAll();
    }
}

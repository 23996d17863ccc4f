package dev.clockwire.sim.parallel;

/** Where threads wait for each other: a short spin, since the others are seldom late, then giving way to others for some milliseconds, then asleep. */
final class Meeting {
    /** Some 100 us: longer than parts are usually late, and not so long that other work on the machine has to wait for it. */
    private static final int SPINS = 4_000;
    /**
     * Some milliseconds. Who sleeps is often woken on the processor of the one who woke him, and runs only when that one sleeps in turn: from then on
     * both take turns on one processor, round after round. Who gives way instead stays ready to run, and is moved to a processor that is idle.
     */
    private static final int YIELDS = 10_000;

    private final int parties;
    /** Neither of both where threads share processors: who spins keeps the one he waits for from running. */
    private final int spins;

    private final int yields;

    private int arrived;
    private volatile int round;
    private volatile boolean broken;

    Meeting(int parties) {
        this.parties = parties;
        boolean shared = parties > Runtime.getRuntime().availableProcessors();
        spins = shared ? 0 : SPINS;
        yields = shared ? 0 : YIELDS;
    }

    /** Waits for all; returns false if one has failed. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on who is given the processor
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
        for (int i = 0; i < yields; i++) {
            if (round != mine || broken) {
                return !broken;
            }
            Thread.yield();
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

package dev.clockwire.bench.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C. A long command asks {@link #requested()} between two stretches of simulated time and ends early; the process
 * gives it a few seconds for that before it goes. It goes at once if the command has never asked.
 */
public final class Interrupt {
    private static final long GRACE_SECONDS = 10;
    private static volatile boolean requested;
    private static volatile boolean heeded;

    private final CountDownLatch finished = new CountDownLatch(1);

    private Interrupt() {}

    /** Returns whether the user wants the command to stop and keep what it has. */
    public static boolean requested() {
        if (!heeded) {
            heeded = true;
        }
        return requested;
    }

    /** Starts to listen for the end of the process. */
    static Interrupt install() {
        Interrupt interrupt = new Interrupt();
        Runtime.getRuntime().addShutdownHook(new Thread(interrupt::stop, "clockwire-interrupt"));
        return interrupt;
    }

    /** Tells that the command has put its files in order: the process may end. */
    void finished() {
        finished.countDown();
    }

    private void stop() {
        requested = finished.getCount() > 0;
        try {
            boolean inTime = finished.await(heeded ? GRACE_SECONDS : 0, TimeUnit.SECONDS);
            if (!inTime) {
                OutputDirectory.abandonAll();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

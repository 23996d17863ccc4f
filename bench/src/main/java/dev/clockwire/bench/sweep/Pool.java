package dev.clockwire.bench.sweep;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** Runs rows, several at a time. Runs share nothing, so neither their number at a time nor their order changes one of them. */
public final class Pool {
    private static final long LOOK_MS = 50;
    private static final long GRACE_MS = 5_000;

    private final Runner runner;
    private final BooleanSupplier stop;
    private final BiConsumer<SweepRow, RowResult> done;
    private final AtomicReference<Throwable> broken = new AtomicReference<>();

    /**
     * Creates a pool.
     *
     * @param stop says when no further row is to be begun
     * @param done takes each row when it has ended, from several threads
     */
    public Pool(Runner runner, BooleanSupplier stop, BiConsumer<SweepRow, RowResult> done) {
        this.runner = runner;
        this.stop = stop;
        this.done = done;
    }

    /**
     * Runs the rows; returns when all have ended, or soon after the stop: what is under way then is given up.
     *
     * @param jobs how many at a time
     */
    public void run(List<SweepRow> rows, int jobs) {
        ExecutorService threads = Executors.newFixedThreadPool(jobs, Pool::thread);
        rows.forEach(row -> threads.execute(() -> run(row)));
        threads.shutdown();
        try {
            while (!threads.awaitTermination(LOOK_MS, TimeUnit.MILLISECONDS)) {
                if (stop.getAsBoolean()) {
                    threads.awaitTermination(GRACE_MS, TimeUnit.MILLISECONDS);
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            threads.shutdownNow();
        }
        Throwable cause = broken.get();
        if (cause instanceof RuntimeException e) {
            throw e;
        }
        if (cause != null) {
            throw new InvariantViolation("a row could not be kept: " + cause);
        }
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "clockwire-sweep");
        thread.setDaemon(true); // one that heeds no Ctrl-C must not hold the process
        return thread;
    }

    private void run(SweepRow row) {
        if (stop.getAsBoolean() || broken.get() != null) {
            return;
        }
        try {
            RowResult.of(runner.run(row.arguments())).ifPresent(result -> done.accept(row, result));
        } catch (RuntimeException | Error e) {
            broken.compareAndSet(null, e);
        }
    }
}

package dev.clockwire.bench.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.sim.error.InvariantViolation;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Runs rows, several at a time. Runs share nothing, so neither their number at a time nor their order changes one of them. */
public final class Pool {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> OF_THE_MACHINE = List.of("wall_s", "cpu_s");
    private static final String PREFIX = "clockwire: ";
    private static final int INTERRUPTED = 130;
    private static final long LOOK_MS = 50;
    private static final long GRACE_MS = 5_000;

    private final Runner runner;
    private final RowStore store;
    private final BooleanSupplier stop;
    private final Consumer<RowResult> progress;
    private final AtomicReference<Throwable> broken = new AtomicReference<>();

    /**
     * Creates a pool.
     *
     * @param store takes each row when it has ended
     * @param stop says when no further row is to be begun
     * @param progress is told of each row, from several threads
     */
    public Pool(Runner runner, RowStore store, BooleanSupplier stop, Consumer<RowResult> progress) {
        this.runner = runner;
        this.store = store;
        this.stop = stop;
        this.progress = progress;
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
            Runner.Ended ended = runner.run(row.arguments());
            if (ended.exit() != INTERRUPTED) {
                RowResult result = result(ended);
                store.write(row, result);
                progress.accept(result);
            }
        } catch (RuntimeException | Error e) {
            broken.compareAndSet(null, e);
        }
    }

    private static RowResult result(Runner.Ended ended) {
        List<String> said = ended.err().lines().map(Pool::plain).toList();
        boolean gaveUp = ended.out().isBlank();
        String error = ended.exit() == 0 ? "" : gaveUp && !said.isEmpty() ? said.get(0) : "a check failed";
        JsonNode document = MAPPER.createObjectNode();
        try {
            if (!gaveUp) {
                document = MAPPER.readTree(ended.out());
            }
        } catch (JsonProcessingException e) {
            throw new InvariantViolation("a command printed no JSON document: " + e.getOriginalMessage());
        }
        strip(document);
        return new RowResult(ended.exit(), error, gaveUp ? List.of() : said, document);
    }

    private static String plain(String line) {
        return line.startsWith(PREFIX) ? line.substring(PREFIX.length()) : line;
    }

    /** Removes what depends on the machine and on what else it does: the same rows leave the same files everywhere. */
    private static void strip(JsonNode part) {
        if (part instanceof ObjectNode object) {
            object.remove(OF_THE_MACHINE);
        }
        part.forEach(Pool::strip);
    }
}

package dev.clockwire.bench.nvmf;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.storage.bdev.IoType;
import dev.clockwire.storage.perf.PerfQueue;
import dev.clockwire.storage.perf.PerfUser;
import java.util.function.BooleanSupplier;

/** Reads of 4 KiB, one at a time, each in the next place; whoever wants to know what one costs asks for the {@link #next}. */
public final class ReadLoop implements PerfUser {
    private static final int BYTES = 4096;
    private static final long LONGEST_PS = 1_000_000_000_000L;

    private final Sim sim;
    private final PerfQueue queue;
    private final long va;
    private final int blocks;
    private final BooleanSupplier more = this::hasMore;
    private long lba;
    private long done;
    private long seen;
    private long seenPs;

    /** Creates a loop over a queue, to be started by {@link PerfQueue#start}. */
    public ReadLoop(Sim sim, PerfQueue queue) {
        this.sim = sim;
        this.queue = queue;
        va = queue.allocate("data", BYTES);
        blocks = BYTES / queue.blockBytes();
    }

    @Override
    public void begin() {
        submit();
    }

    private void submit() {
        lba = lba + 2L * blocks > queue.blocks() ? 0 : lba + blocks;
        queue.submit(IoType.READ, lba, blocks, va, 0);
    }

    @Override
    public void ended(int tag, boolean good) {
        if (!good) {
            throw new InvariantViolation(sim.root().path(), sim.now(), "a read failed");
        }
        done++;
        submit();
    }

    private boolean hasMore() {
        return done > seen;
    }

    /** Runs the simulation until the next read has ended; returns the simulated time since the last one in ps. */
    public long next() {
        if (!sim.runUntil(more, sim.now() + LONGEST_PS)) {
            throw new InvariantViolation(sim.root().path(), sim.now(), "a read did not end within a second");
        }
        seen = done;
        long took = sim.now() - seenPs;
        seenPs = sim.now();
        return took;
    }
}

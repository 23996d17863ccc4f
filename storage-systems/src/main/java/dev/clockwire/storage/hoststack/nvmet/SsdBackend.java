package dev.clockwire.storage.hoststack.nvmet;

import dev.clockwire.nvme.driver.NvmeQueuePair;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.storage.hoststack.kernel.KernelCore;
import dev.clockwire.storage.hoststack.kernel.Softirq;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The driver of a target's SSD: commands from the block layer, ends by interrupt; the handler looks at the completion queue itself. */
public final class SsdBackend extends Softirq {
    private static final int BATCH = 64;

    private final KernelCore kernel;
    private final List<long[]> waiting = new ArrayList<>();
    private @Nullable NvmeQueuePair pair;
    private final Done done;
    private final int blockBytes;
    /** Tags of the ring, and whose they are. */
    private long[] owners = {};

    private int free;
    private int[] tags = {};

    /** Is told, in the context of the interrupt. */
    @FunctionalInterface
    public interface Done {
        /** An I/O has ended with a status of NVMe. */
        void done(long owner, int status);
    }

    /** Creates it without a queue pair. */
    public SsdBackend(KernelCore kernel, int blockBytes, Done done) {
        this.kernel = kernel;
        this.done = done;
        this.blockBytes = blockBytes;
        kernel.add(this);
    }

    /** Drives a queue pair of so many entries. */
    public void use(NvmeQueuePair made, int entries) {
        pair = made;
        owners = new long[entries];
        tags = new int[entries];
        for (int i = 0; i < entries - 1; i++) {
            tags[free++] = i;
        }
    }

    /** Takes what the queue pair ends. */
    public void ended(int tag, int status, long result) {
        kernel.charge(kernel.costs().blockComplete());
        tags[free++] = tag;
        done.done(owners[tag], status);
    }

    /** Begins an I/O, in a step. */
    public void submit(int opcode, long slba, int blocks, long va, long owner) {
        kernel.charge(kernel.costs().blockSubmit() + kernel.costs().driver());
        if (free == 0) {
            waiting.add(new long[] {opcode, slba, blocks, va, owner});
        } else {
            begin(opcode, slba, blocks, va, owner);
        }
    }

    private void begin(int opcode, long slba, int blocks, long va, long owner) {
        NvmeQueuePair p = Objects.requireNonNull(pair);
        int tag = tags[--free];
        owners[tag] = owner;
        if (opcode == Opcodes.FLUSH) {
            p.flush(1, tag);
        } else {
            p.transfer(opcode, 1, slba, blocks, va, blocks * blockBytes, tag);
        }
    }

    /** The SSD has interrupted the core. */
    public void interrupted() {
        kernel.interrupted(this);
    }

    @Override
    protected boolean isHandler() {
        return true;
    }

    @Override
    protected boolean run() {
        NvmeQueuePair p = pair;
        boolean more = p != null && p.poll(BATCH) == BATCH;
        while (!waiting.isEmpty() && free > 0) {
            long[] w = waiting.remove(0);
            begin((int) w[0], w[1], (int) w[2], w[3], w[4]);
        }
        return more;
    }
}

package dev.clockwire.storage.hoststack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.bdev.IoType;
import dev.clockwire.storage.perf.PerfQueue;
import dev.clockwire.storage.perf.PerfUser;
import java.util.Arrays;

/** Writes places of its own with bytes of their own, reads each back and compares; some I/Os at a time. */
final class Verify implements PerfUser {
    private final KernelStack stack;
    private final PerfQueue queue;
    private final int[] blocks;
    private final long[] at;
    private final byte[][] wrote;
    private final boolean[] reading;
    private final RandomStream random;
    private long next;
    private int left;
    private int active;
    int errors;
    int compared;

    Verify(KernelStack stack, int depth, int rounds, long seed) {
        this.stack = stack;
        queue = stack.queues().get(0);
        blocks = new int[depth];
        at = new long[depth];
        wrote = new byte[depth][];
        reading = new boolean[depth];
        random = RandomStream.named(seed, "verify");
        left = rounds;
        for (int i = 0; i < depth; i++) {
            at[i] = queue.allocate("verify" + i, 1 << 18);
        }
    }

    @Override
    public void begin() {
        for (int i = 0; i < blocks.length; i++) {
            write(i);
        }
    }

    private void write(int i) {
        if (left == 0) {
            return;
        }
        left--;
        active++;
        blocks[i] = 1 + random.below(random.below(4) == 0 ? 400 : 40);
        byte[] b = new byte[blocks[i] * queue.blockBytes()];
        for (int k = 0; k < b.length; k++) {
            b[k] = (byte) random.below(256);
        }
        wrote[i] = b;
        reading[i] = false;
        queue.cpu().memory().putBytes(at[i], b, 0, b.length);
        queue.submit(IoType.WRITE, place(i), blocks[i], at[i], i);
    }

    private long place(int i) {
        return 1000L * i + (next % 500);
    }

    @Override
    public void ended(int i, boolean good) {
        errors += good ? 0 : 1;
        byte[] b = wrote[i];
        if (!reading[i]) {
            reading[i] = true;
            queue.cpu().memory().putBytes(at[i], new byte[b.length], 0, b.length);
            queue.submit(IoType.READ, place(i), blocks[i], at[i], i);
            return;
        }
        byte[] got = new byte[b.length];
        queue.cpu().memory().getBytes(at[i], got, 0, b.length);
        compared += Arrays.equals(got, b) ? 1 : 0;
        active--;
        write(i);
    }

    /** Runs to the end. */
    void run() {
        int rounds = left;
        queue.start(this);
        boolean done =
                stack.sim().runUntil(() -> left == 0 && active == 0, stack.sim().now() + 60_000_000_000_000L);
        assertThat(done).as("all I/Os end").isTrue();
        assertThat(errors).isZero();
        assertThat(compared).isEqualTo(rounds);
    }
}

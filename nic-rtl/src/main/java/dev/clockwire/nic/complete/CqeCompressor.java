package dev.clockwire.nic.complete;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.format.MiniCqe;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Completions that wait to share entries: for each completion queue at most one block of alike ones. A block is written when it is full, when
 * its time is over, or when something comes that does not fit into it. Part of the completion unit.
 */
final class CqeCompressor implements State {
    /** A block of one completion queue. */
    static final class Block {
        final int cqn;
        final @Nullable Completion[] all = new Completion[MiniCqe.MOST];
        int count;
        /** From this cycle on it is written. */
        long due;
        /** Receives, not sends. */
        boolean receives;

        Block(int cqn) {
            this.cqn = cqn;
        }

        Completion get(int i) {
            return Objects.requireNonNull(all[i]);
        }

        boolean isFull() {
            return count == MiniCqe.MOST;
        }

        /** Whether a completion differs from the first one only in what a small entry holds. */
        boolean takes(Completion c) {
            Completion first = get(0);
            return c.opcode == first.opcode
                    && c.qpn == first.qpn
                    && c.imm == first.imm
                    && c.srcQp == first.srcQp
                    && c.hash == first.hash
                    && c.checksums == first.checksums
                    && c.sum == first.sum;
        }
    }

    private final int window;
    private @Nullable Block[] blocks = new Block[16];
    private int open;
    private long blocksWritten;
    private long completions;

    /**
     * Creates the unit.
     *
     * @param window cycles that the first completion of a block waits for others
     */
    CqeCompressor(int window) {
        this.window = window;
    }

    /** Whether a completion may stand in a block at all: errors and solicited ones are told at once. */
    static boolean isOrdinary(Completion c) {
        return c.syndrome == 0 && !c.solicited;
    }

    private Block block(int cqn) {
        if (cqn >= blocks.length) {
            blocks = Arrays.copyOf(blocks, Math.max(cqn + 1, 2 * blocks.length));
        }
        Block b = blocks[cqn];
        if (b == null) {
            b = new Block(cqn);
            blocks[cqn] = b;
        }
        return b;
    }

    /** Returns the block of a queue with something in it, null if there is none. */
    @Nullable
    Block open(int cqn) {
        Block b = cqn < blocks.length ? blocks[cqn] : null;
        return b == null || b.count == 0 ? null : b;
    }

    /** Returns how many completions of a queue wait. */
    int waiting(int cqn) {
        Block b = open(cqn);
        return b == null ? 0 : b.count;
    }

    /** Adds a completion that its block takes, or that begins one; returns the block. */
    Block add(Completion c, boolean receive, long cycle) {
        Block b = block(c.cqn);
        if (b.count == 0) {
            open++;
            b.due = cycle + window;
            b.receives = receive;
        }
        b.all[b.count++] = c;
        return b;
    }

    /** Returns the block that is to be written now, or of those that wait the one whose time is over first; null if nothing waits. */
    @Nullable
    Block first() {
        Block first = null;
        for (int i = 0; open > 0 && i < blocks.length; i++) {
            Block b = blocks[i];
            if (b != null && b.count > 0 && (first == null || b.due < first.due)) {
                first = b;
            }
        }
        return first;
    }

    /** A block has been written. */
    void written(Block b) {
        blocksWritten += b.count > 1 ? 1 : 0;
        completions += b.count > 1 ? b.count : 0;
        Arrays.fill(b.all, 0, b.count, null);
        b.count = 0;
        open--;
    }

    /** Returns blocks of several completions written so far ({@code rx_cqe_compress_blks}, here of both directions). */
    long blocks() {
        return blocksWritten;
    }

    /** Returns completions in them ({@code rx_cqe_compress_pkts}). */
    long completions() {
        return completions;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(blocksWritten);
        out.putLong(completions);
        out.putInt(open);
        for (Block b : blocks) {
            if (b != null && b.count > 0) {
                out.putInt(b.cqn);
                out.putInt(b.count);
                out.putLong(b.due);
                out.putBoolean(b.receives);
                for (int i = 0; i < b.count; i++) {
                    out.putToken(b.all[i]);
                }
            }
        }
    }

    @Override
    public void load(Snapshot in) {
        blocks = new Block[16];
        blocksWritten = in.getLong();
        completions = in.getLong();
        open = in.getInt();
        for (int n = open; n > 0; n--) {
            Block b = block(in.getInt());
            b.count = in.getInt();
            b.due = in.getLong();
            b.receives = in.getBoolean();
            for (int i = 0; i < b.count; i++) {
                b.all[i] = (Completion) in.getToken();
            }
        }
    }
}

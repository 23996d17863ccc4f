package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Watcher;
import dev.clockwire.sim.mem.WriteWatch;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The ranges of memory whose writes end the idleness of a core. */
final class IdleRanges implements State {
    private static final long NEVER = Long.MAX_VALUE;

    private final HostMemory memory;
    private final Watcher watcher;
    private int count;
    private long[] start = new long[2];
    private int[] length = new int[2];
    private long[] watchStart = new long[2];
    private int[] watchLength = new int[2];
    private @Nullable WriteWatch[] watches = new @Nullable WriteWatch[2];

    /** Creates it without ranges; stores of other cores are told to {@code watcher}, devices announce theirs. */
    IdleRanges(HostMemory memory, Watcher watcher) {
        this.memory = memory;
        this.watcher = watcher;
    }

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    void add(long va, int bytes) {
        if (count == start.length) {
            int n = 2 * count;
            start = Arrays.copyOf(start, n);
            length = Arrays.copyOf(length, n);
            watchStart = Arrays.copyOf(watchStart, n);
            watchLength = Arrays.copyOf(watchLength, n);
            watches = Arrays.copyOf(watches, n);
        }
        start[count] = va;
        length[count] = bytes;
        count++;
    }

    /** Returns when the first pending write to range i is committed, {@code Long.MAX_VALUE} if there is none. */
    long firstTo(int i) {
        return memory.firstTo(start[i], length[i]);
    }

    /** Returns when the first of some packets that touches one of the ranges is committed, {@code Long.MAX_VALUE} if none does. */
    long firstOf(TlpTrain train, int from, int to) {
        long first = NEVER;
        for (int i = 0; i < count; i++) {
            first = Math.min(first, CommitQueue.firstTo(start[i], length[i], train, from, to));
        }
        return first;
    }

    /** Looks for stores of other cores to range i. */
    void watch(int i) {
        WriteWatch old = watches[i];
        if (old != null && watchStart[i] == start[i] && watchLength[i] == length[i]) {
            return;
        }
        AddressSpace space = memory.space();
        if (old == null) {
            watches[i] = space.watch(start[i], length[i], watcher);
        } else {
            space.move(old, start[i], length[i]);
        }
        watchStart[i] = start[i];
        watchLength[i] = length[i];
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            out.putLong(start[i]);
            out.putInt(length[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        int n = in.getInt();
        count = 0;
        for (int i = 0; i < n; i++) {
            long va = in.getLong();
            add(va, in.getInt());
            watch(i);
        }
    }
}

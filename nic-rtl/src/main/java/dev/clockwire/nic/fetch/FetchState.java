package dev.clockwire.nic.fetch;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The reads that are free, and the reply being unpacked. */
final class FetchState implements State {
    private final @Nullable DmaRead[] pool;
    private int freeCount;

    @Nullable
    DmaRead current;

    int consumed;
    int found;
    /** Reads begun for the scheduler, and how many of those had to wait until one in flight had ended. */
    long fetches;

    long waited;

    FetchState(int outstanding) {
        pool = new DmaRead[outstanding];
        for (int i = 0; i < outstanding; i++) {
            pool[i] = new DmaRead();
        }
        freeCount = outstanding;
    }

    boolean free() {
        return freeCount > 0;
    }

    DmaRead takeFree() {
        DmaRead read = Objects.requireNonNull(pool[--freeCount]);
        pool[freeCount] = null;
        return read;
    }

    void start(DmaRead reply) {
        current = reply;
        consumed = 0;
        found = 0;
    }

    void finish() {
        pool[freeCount++] = current;
        current = null;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(freeCount);
        out.putToken(current);
        out.putInt(consumed);
        out.putInt(found);
        out.putLong(fetches);
        out.putLong(waited);
    }

    @Override
    public void load(Snapshot in) {
        freeCount = in.getInt();
        current = (DmaRead) in.getToken();
        consumed = in.getInt();
        found = in.getInt();
        fetches = in.getLong();
        waited = in.getLong();
        for (int i = 0; i < pool.length; i++) {
            pool[i] = i < freeCount ? new DmaRead() : null;
        }
    }
}

package dev.clockwire.nic.cache;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The entries of one table that are on their way from host memory, at most so many: what hardware calls miss status registers. */
public final class MissTable implements State {
    private final @Nullable DmaRead[] idle;
    private final long[] reading;
    private int idleCount;
    private int readingCount;

    /** Creates a table without reads. */
    public MissTable(int reads) {
        idle = new DmaRead[reads];
        reading = new long[reads];
        refill(0);
    }

    private void refill(int underWay) {
        for (int i = 0; i < idle.length; i++) {
            idle[i] = new DmaRead();
        }
        readingCount = underWay;
        idleCount = idle.length - underWay;
    }

    /** Returns how many more may be asked for. */
    public int free() {
        return idleCount;
    }

    /** Whether an entry is being read. */
    public boolean pending(long key) {
        for (int i = 0; i < readingCount; i++) {
            if (reading[i] == key) {
                return true;
            }
        }
        return false;
    }

    /** Begins the read of an entry that is not pending; the caller says from where. */
    public DmaRead begin(long key) {
        reading[readingCount++] = key;
        DmaRead read = Objects.requireNonNull(idle[--idleCount]);
        read.into.clear();
        return read;
    }

    /** Takes the read of an entry back. */
    public void end(DmaRead read, long key) {
        idle[idleCount++] = read;
        for (int i = 0; i < readingCount; i++) {
            if (reading[i] == key) {
                reading[i] = reading[--readingCount];
                return;
            }
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(readingCount);
        for (int i = 0; i < readingCount; i++) {
            out.putLong(reading[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        refill(in.getInt());
        for (int i = 0; i < readingCount; i++) {
            reading[i] = in.getLong();
        }
    }
}

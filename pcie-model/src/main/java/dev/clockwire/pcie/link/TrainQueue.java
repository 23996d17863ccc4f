package dev.clockwire.pcie.link;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Trains that wait for credits or for the link, in the order submitted; a train may have left in part. */
final class TrainQueue implements State {
    private @Nullable TlpTrain[] ring = new @Nullable TlpTrain[8];
    private int first;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    @Nullable
    TlpTrain peek() {
        return size == 0 ? null : ring[first];
    }

    void add(TlpTrain train) {
        if (size == ring.length) {
            @Nullable TlpTrain[] larger = new @Nullable TlpTrain[2 * size];
            for (int i = 0; i < size; i++) {
                larger[i] = ring[first + i & size - 1];
            }
            ring = larger;
            first = 0;
        }
        ring[first + size++ & ring.length - 1] = train;
    }

    void remove() {
        if (size == 0) {
            throw new InvariantViolation("removed from an empty queue of TLPs");
        }
        ring[first] = null;
        first = first + 1 & ring.length - 1;
        size--;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(size);
        for (int i = 0; i < size; i++) {
            out.putToken(ring[first + i & ring.length - 1]);
        }
    }

    @Override
    public void load(Snapshot in) {
        int n = in.getInt();
        Arrays.fill(ring, null);
        first = 0;
        size = 0;
        for (int i = 0; i < n; i++) {
            if (in.getToken() instanceof TlpTrain train) {
                add(train);
            }
        }
    }
}

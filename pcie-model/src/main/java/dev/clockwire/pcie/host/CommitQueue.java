package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one port that have arrived and are not in memory yet, by the time at which they will be. Times do not go back.
 * They are applied when somebody looks at memory, several packets in one go where nobody can tell the difference.
 */
final class CommitQueue implements State {
    private static final long NEVER = Long.MAX_VALUE;

    private final TrainPool pool;
    /** Whether a packet may come after a later one of its train. */
    private final boolean counts;

    private @Nullable TlpTrain[] trains = new @Nullable TlpTrain[16];
    private int[] next = new int[16];
    private int[] end = new int[16];
    private int first;
    private int size;
    private long last = -1;

    /** Creates an empty queue; {@code counts} if packets are counted by {@link TlpTrain#unserved}, as they may come late. */
    CommitQueue(TrainPool pool, boolean counts) {
        this.pool = pool;
        this.counts = counts;
    }

    /**
     * Takes packets of a train; their arrival times become commit times, never before those of earlier ones.
     *
     * @param strictPs by how much each follows the one before it at least
     */
    void add(TlpTrain train, int from, int to, long delayPs, long strictPs) {
        long w = last;
        for (int i = from; i < to; i++) {
            w = Math.max(w + strictPs, train.arrival[i] + delayPs);
            train.arrival[i] = w;
        }
        last = w;
        if (size == trains.length) {
            grow();
        }
        int at = first + size & trains.length - 1;
        trains[at] = train;
        next[at] = from;
        end[at] = to;
        size++;
    }

    /** Returns the commit time of the youngest write so far, -1 if there was none. */
    long last() {
        return last;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Returns the commit time of the oldest write that is not in memory. */
    long head() {
        return size == 0 ? NEVER : train(first).arrival[next[first]];
    }

    private TlpTrain train(int at) {
        TlpTrain t = trains[at];
        if (t == null) {
            throw new InvariantViolation("commit queue entry without a train");
        }
        return t;
    }

    /** Writes to memory what is committed before a time. */
    void applyBefore(long t, AddressSpace memory) {
        while (size > 0) {
            TlpTrain train = train(first);
            int i = next[first];
            int stop = end[first];
            int j = i;
            while (j < stop && train.arrival[j] < t) {
                j++;
            }
            if (j > i) {
                train.unserved -= j - i;
                int at = train.offset[i];
                memory.write(train.address + at, train.data, at, train.offset[j] - at);
            }
            if (j < stop) {
                next[first] = j;
                return;
            }
            trains[first] = null;
            first = first + 1 & trains.length - 1;
            size--;
            if (counts ? train.unserved == 0 : stop == train.count) {
                pool.give(train);
            }
        }
    }

    /** Returns when the first pending write to a range is committed, {@code Long.MAX_VALUE} if there is none. */
    long firstTo(long va, long length) {
        for (int k = 0; k < size; k++) {
            int at = first + k & trains.length - 1;
            long w = firstTo(va, length, train(at), next[at], end[at]);
            if (w != NEVER) {
                return w;
            }
        }
        return NEVER;
    }

    /** Returns when the first of some packets that touches a range is committed, {@code Long.MAX_VALUE} if none does. */
    static long firstTo(long va, long length, TlpTrain train, int from, int to) {
        if (train.address + train.offset[to] <= va || va + length <= train.address + train.offset[from]) {
            return NEVER;
        }
        for (int i = from; i < to; i++) {
            if (train.address + train.offset[i + 1] > va) {
                return train.arrival[i];
            }
        }
        return NEVER;
    }

    private void grow() {
        int n = trains.length;
        @Nullable TlpTrain[] t = new @Nullable TlpTrain[2 * n];
        int[] a = new int[2 * n];
        int[] b = new int[2 * n];
        for (int i = 0; i < size; i++) {
            int at = first + i & n - 1;
            t[i] = trains[at];
            a[i] = next[at];
            b[i] = end[at];
        }
        trains = t;
        next = a;
        end = b;
        first = 0;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(last);
        out.putInt(size);
        for (int i = 0; i < size; i++) {
            int at = first + i & trains.length - 1;
            out.putToken(trains[at]);
            out.putInt(next[at]);
            out.putInt(end[at]);
        }
    }

    @Override
    public void load(Snapshot in) {
        last = in.getLong();
        Arrays.fill(trains, null);
        first = 0;
        size = 0;
        for (int n = in.getInt(); n > 0; n--) {
            if (size == trains.length) {
                grow();
            }
            trains[size] = (TlpTrain) in.getToken();
            next[size] = in.getInt();
            end[size] = in.getInt();
            size++;
        }
    }
}

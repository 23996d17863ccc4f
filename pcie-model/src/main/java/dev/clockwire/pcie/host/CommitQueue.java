package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.link.TrainRing;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.state.Snapshot;

/**
 * Writes of one port that have arrived and are not in memory yet, by the time at which they will be. Times do not go back.
 * They are applied when somebody looks at memory, several packets in one go where nobody can tell the difference.
 */
final class CommitQueue extends TrainRing {
    private static final long NEVER = Long.MAX_VALUE;

    private final TrainPool pool;
    /** Whether a packet may come after a later one of its train. */
    private final boolean counts;

    private long last = -1;
    private long applied = -1;

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
        push(train, from, to, 0);
    }

    /** Returns the commit time of the youngest write so far, -1 if there was none. */
    long last() {
        return last;
    }

    /** Returns the commit time of the last packet of what was written to memory last. */
    long applied() {
        return applied;
    }

    /** Writes to memory what is committed before a time. */
    void applyBefore(long t, AddressSpace memory) {
        while (!isEmpty()) {
            TlpTrain train = train();
            int i = from();
            int stop = end();
            int j = i;
            while (j < stop && train.arrival[j] < t) {
                j++;
            }
            if (j > i) {
                train.unserved -= j - i;
                int at = train.offset[i];
                applied = train.arrival[j - 1];
                memory.write(
                        HostMemory.user(train),
                        train.arrival[i],
                        train.address + at,
                        train.data,
                        at,
                        train.offset[j] - at);
            }
            if (j < stop) {
                passTo(j);
                return;
            }
            pop();
            if (counts ? train.unserved == 0 : stop == train.count) {
                pool.give(train);
            }
        }
    }

    /** Returns when the first pending write to a range is committed, {@code Long.MAX_VALUE} if there is none. */
    long firstTo(long va, long length) {
        for (int k = 0; k < size(); k++) {
            long w = firstTo(va, length, train(k), from(k), end(k));
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

    @Override
    public void save(Snapshot out) {
        super.save(out);
        out.putLong(last);
    }

    @Override
    public void load(Snapshot in) {
        super.load(in);
        last = in.getLong();
    }
}

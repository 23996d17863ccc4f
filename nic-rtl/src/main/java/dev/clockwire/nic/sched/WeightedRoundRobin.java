package dev.clockwire.nic.sched;

import dev.clockwire.nic.stage.QpRing;
import dev.clockwire.sim.state.Snapshot;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Interleaved weighted round robin: in a round each queue gets as many grants as its weight, one after another in turns. A round ends when
 * no ready queue has a grant left; a queue that was not ready by then loses the rest, so the unit never idles for it.
 */
final class WeightedRoundRobin extends RankedArbiter {
    private final IntUnaryOperator weight;
    /** Ready queues with grants left in this round. */
    private final QpRing current = new QpRing();
    /** Ready queues that wait for the next round. */
    private final QpRing later = new QpRing();
    /** Queues of the first ring that the scan has not seen; below 0 it is in the second. */
    private int unseen;

    private int[] left = new int[16];
    /** The round that {@link #left} belongs to. */
    private long[] round = new long[16];

    private long now = 1;

    WeightedRoundRobin(IntUnaryOperator weight) {
        this.weight = weight;
    }

    @Override
    void ensure(int q) {
        super.ensure(q);
        if (q >= left.length) {
            int n = Math.max(q + 1, 2 * left.length);
            left = Arrays.copyOf(left, n);
            round = Arrays.copyOf(round, n);
        }
    }

    private int left(int q) {
        if (round[q] != now) {
            round[q] = now;
            left[q] = weight.applyAsInt(q);
        }
        return left[q];
    }

    @Override
    void place(int q) {
        if (left(q) > 0) {
            current.add(q);
        } else {
            later.add(q);
        }
    }

    @Override
    void rewind() {
        unseen = current.size();
    }

    @Override
    int take() {
        if (unseen <= 0) {
            unseen = -1;
            return later.next();
        }
        unseen--;
        return current.next();
    }

    @Override
    void putBack(int q) {
        if (unseen < 0) {
            later.add(q);
        } else {
            current.add(q);
        }
    }

    @Override
    public void granted(int q) {
        super.granted(q);
        if (unseen < 0) {
            now++; // nobody who has a grant left in this round can go
            while (later.size() > 0) {
                current.add(later.next());
            }
        }
        left[q] = left(q) - 1;
    }

    @Override
    void list(QpRing out) {
        for (int i = 0; i < current.size(); i++) {
            out.add(current.get(i));
        }
        for (int i = 0; i < later.size(); i++) {
            out.add(later.get(i));
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(now);
        out.putInt(left.length);
        for (int q = 0; q < left.length; q++) {
            out.putInt(left[q]);
            out.putLong(round[q]);
        }
        super.save(out);
    }

    @Override
    public void load(Snapshot in) {
        clear();
        now = in.getLong();
        int n = in.getInt();
        left = new int[n]; // a run may go back to a time when there were fewer
        round = new long[n];
        for (int q = 0; q < n; q++) {
            left[q] = in.getInt();
            round[q] = in.getLong();
        }
        super.load(in);
    }
}

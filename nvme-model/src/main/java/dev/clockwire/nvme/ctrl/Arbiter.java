package dev.clockwire.nvme.ctrl;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/**
 * Which submission queue is fetched from next. Admin commands go first; then all queues in turn, or with weights: urgent queues strictly,
 * high, medium and low by so many commands in a round. A visit takes a burst at most.
 */
final class Arbiter implements State {
    private static final int CLASSES = 4;
    private static final int URGENT = 0;
    private static final int ANY = 1 << 20;
    private static final int UNLIMITED = 7;

    private final Queues queues;
    /** Where the turn stands in each class. */
    private final int[] turn = new int[CLASSES];
    /** Commands that each class may still take in this round. */
    private final int[] credit = new int[CLASSES];

    /** Bit n: I/O queue n was rung since it was last found empty; a scan of all queues for each entry costs more than the fetch. */
    private final long[] rung;

    private final int[] weight = {ANY, 1, 1, 1};
    private int burst = ANY;
    private boolean weighted;

    Arbiter(Queues queues) {
        this.queues = queues;
        rung = new long[(queues.count() + 63) / 64];
        anyMayBe();
    }

    private void anyMayBe() {
        Arrays.fill(rung, -1L);
        rung[rung.length - 1] = -1L >>> -queues.count();
    }

    /** The controller is enabled: round robin, or weighted. */
    void begin(boolean withWeights) {
        weighted = withWeights;
        Arrays.fill(turn, 0);
        Arrays.fill(credit, 0);
    }

    /** Sets the feature: burst as a power of two, 7 = any number, and the weights, one less than they are. */
    void feature(int value) {
        int log = value & 7;
        burst = log == UNLIMITED ? ANY : 1 << log;
        weight[3] = (value >>> 8 & 0xFF) + 1;
        weight[2] = (value >>> 16 & 0xFF) + 1;
        weight[1] = (value >>> 24 & 0xFF) + 1;
    }

    /** Returns the next queue with something to fetch, -1 if none has. */
    int choose() {
        if (queues.sq(0).live && queues.sq(0).pending() > 0) {
            return 0;
        }
        if (!weighted) {
            return inTurn(-1, URGENT);
        }
        int urgent = inTurn(URGENT, URGENT);
        if (urgent >= 0) {
            return urgent;
        }
        for (int round = 0; round < 2; round++) {
            for (int c = 1; c < CLASSES; c++) {
                int q = credit[c] > 0 ? inTurn(c, c) : -1;
                if (q >= 0) {
                    return q;
                }
            }
            System.arraycopy(weight, 0, credit, 0, CLASSES);
        }
        return -1;
    }

    /** Returns how many entries a visit of a queue may take. */
    int allowance(int queue) {
        int most = queue == 0 ? ANY : burst;
        return weighted && queue != 0 && queues.sq(queue).priority != URGENT
                ? Math.min(most, Math.max(1, credit[queues.sq(queue).priority]))
                : most;
    }

    /** So many entries of a queue were asked for: it is the next one's turn. */
    void took(int queue, int entries) {
        if (queue == 0) {
            return;
        }
        int c = weighted ? queues.sq(queue).priority : URGENT;
        turn[c] = queue;
        credit[c] -= entries;
    }

    /** A queue may have entries from now on. */
    void rang(int queue) {
        rung[queue >> 6] |= 1L << queue;
    }

    private int inTurn(int priority, int place) {
        int from = turn[place] + 1;
        int behind = first(from, queues.count(), priority);
        return behind >= 0 ? behind : first(1, from, priority);
    }

    /** Returns the first queue of a range with something to fetch, -1 if none has; forgets those that were found empty. */
    private int first(int from, int to, int priority) {
        for (int id = nextRung(from); id < to; id = nextRung(id + 1)) {
            SubmissionQueue q = queues.sq(id);
            if (!q.live || q.pending() == 0) {
                rung[id >> 6] &= ~(1L << id);
            } else if (priority < 0 || q.priority == priority) {
                return id;
            }
        }
        return -1;
    }

    private int nextRung(int from) {
        long word = -1L << from;
        for (int w = from >> 6; w < rung.length; w++) {
            long hit = rung[w] & word;
            if (hit != 0) {
                return (w << 6) + Long.numberOfTrailingZeros(hit);
            }
            word = -1;
        }
        return Integer.MAX_VALUE;
    }

    @Override
    public void save(Snapshot out) {
        for (int c = 0; c < CLASSES; c++) {
            out.putInt(turn[c]);
            out.putInt(credit[c]);
            out.putInt(weight[c]);
        }
        out.putInt(burst);
        out.putBoolean(weighted);
    }

    @Override
    public void load(Snapshot in) {
        for (int c = 0; c < CLASSES; c++) {
            turn[c] = in.getInt();
            credit[c] = in.getInt();
            weight[c] = in.getInt();
        }
        burst = in.getInt();
        weighted = in.getBoolean();
        anyMayBe();
    }
}

package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/** Trains that wait at a transmitter, by class, and which of them may go next: {@link OrderingRules}, and credits. */
final class WaitingTrains implements State {
    private static final FlowClass[] CLASSES = FlowClass.values();

    private final TrainQueue[] queues = new TrainQueue[CLASSES.length];
    private final LinkCredits credits;
    private int waiting;

    WaitingTrains(LinkCredits credits) {
        this.credits = credits;
        for (int c = 0; c < queues.length; c++) {
            queues[c] = new TrainQueue();
        }
    }

    int size() {
        return waiting;
    }

    void add(TlpTrain train) {
        queues[train.flowClass().index()].add(train);
        waiting++;
    }

    /** Removes the first train of a class. */
    void remove(FlowClass c) {
        queues[c.index()].remove();
        waiting--;
    }

    /** Returns the oldest train whose next packet has credits and overtakes nothing it must not; null if there is none. */
    @Nullable
    TlpTrain next(long now) {
        TlpTrain best = null;
        for (int c = 0; c < queues.length; c++) {
            TlpTrain t = queues[c].peek();
            if (t != null
                    && (best == null || t.sequence < best.sequence)
                    && mayOvertake(t, c)
                    && credits.enough(t, t.departed, now)) {
                best = t;
            }
        }
        return best;
    }

    /** Returns when credits come back that one may wait for, {@code Long.MAX_VALUE} if no time is known. */
    long nextReturn() {
        long wake = Long.MAX_VALUE;
        for (int c = 0; c < queues.length; c++) {
            TlpTrain head = queues[c].peek();
            if (head != null && mayOvertake(head, c)) {
                wake = Math.min(wake, credits.account(c).nextReturn());
            }
        }
        return wake;
    }

    private boolean mayOvertake(TlpTrain train, int c) {
        for (int other = 0; other < queues.length; other++) {
            TlpTrain t = queues[other].peek();
            if (t != null
                    && t.sequence < train.sequence
                    && !OrderingRules.mayPass(
                            CLASSES[c],
                            CLASSES[other],
                            train.relaxed,
                            train.idBased && t.requesterId != train.requesterId)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void save(Snapshot out) {
        for (TrainQueue q : queues) {
            q.save(out);
        }
        out.putInt(waiting);
    }

    @Override
    public void load(Snapshot in) {
        for (TrainQueue q : queues) {
            q.load(in);
        }
        waiting = in.getInt();
    }
}

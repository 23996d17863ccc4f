package dev.clockwire.storage.cluster;

import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.WorkCompletion;

/** A completion queue as a {@link Source}: polled, or armed with its completion channel as event-driven programs do. */
public final class CqSource extends Source {
    private final Worker worker;
    private final CompletionQueue cq;
    private final int batch;
    private final Taker taker;
    private boolean waiting;

    /** Takes completions. */
    @FunctionalInterface
    public interface Taker {
        /** One was found; the object is used again for the next. */
        void completed(WorkCompletion wc);
    }

    /**
     * Creates the source; {@link Worker#add} has it looked at.
     *
     * @param batch completions of one poll at most
     */
    public CqSource(Worker worker, CompletionQueue cq, int batch, Taker taker) {
        this.worker = worker;
        this.cq = cq;
        this.batch = batch;
        this.taker = taker;
    }

    /** Returns the queue. */
    public CompletionQueue cq() {
        return cq;
    }

    @Override
    public int poll() {
        WorkCompletion[] found = worker.completions(batch);
        int n = cq.poll(found);
        for (int i = 0; i < n; i++) {
            taker.completed(found[i]);
        }
        return n;
    }

    @Override
    public long watchAddress() {
        return cq.provider().watchAddress();
    }

    @Override
    public void arm() {
        if (!waiting) {
            waiting = true;
            cq.channel().cqEvent().whenDone(which -> {
                waiting = false;
                which.ackEvents(1);
                worker.ready(this);
            });
        }
        cq.reqNotify(false);
    }

    @Override
    public boolean isReady() {
        return cq.hasCompletion();
    }
}

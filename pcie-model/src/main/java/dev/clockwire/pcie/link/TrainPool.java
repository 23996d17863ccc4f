package dev.clockwire.pcie.link;

import java.util.ArrayDeque;

/** Trains that nobody uses. What a train was used for before is invisible, so a pool is no state of the model. */
public final class TrainPool {
    private static final int MOST = 4096;

    private final ArrayDeque<TlpTrain> free = new ArrayDeque<>();

    /** Creates an empty pool. */
    public TrainPool() {}

    /** Returns a train to fill. */
    public TlpTrain take() {
        TlpTrain t = free.pollLast();
        return t == null ? new TlpTrain() : t;
    }

    /** Takes a train back that nobody refers to any more. */
    public void give(TlpTrain train) {
        if (free.size() < MOST) {
            free.addLast(train);
        }
    }
}

package dev.clockwire.storage.daos.rpc;

import dev.clockwire.storage.cluster.Worker;

/** A hybrid logical clock: physical time in its upper part, a count in its lower, never behind what it has heard of. Epochs of DAOS are its readings. */
public final class HybridClock {
    /** Bits of the count. Physical time is in ns, for 63 bits in all. */
    private static final int COUNT_BITS = 12;

    private static final long PS = 1000;

    private final Worker worker;
    private final long skewPs;
    private final long[] last;

    /** Creates the clock of a worker whose physical clock is right. */
    public HybridClock(Worker worker) {
        this(worker, 0);
    }

    /** Creates the clock of a worker whose physical clock is fast. */
    public HybridClock(Worker worker, long skewPs) {
        this(worker, skewPs, new long[1]);
    }

    private HybridClock(Worker worker, long skewPs, long[] last) {
        this.worker = worker;
        this.skewPs = skewPs;
        this.last = last;
    }

    /** Returns the same clock as another worker of the process reads it. */
    public HybridClock on(Worker other) {
        return new HybridClock(other, skewPs, last);
    }

    /** Returns a reading above all before it and all that was heard of. */
    public long now() {
        last[0] = Math.max(last[0] + 1, at(worker.now() + skewPs));
        return last[0];
    }

    /** Returns the first reading of a physical time, in ps. */
    public static long at(long ps) {
        return (ps / PS) << COUNT_BITS;
    }

    /** Hears of another clock's reading. */
    public void hear(long reading) {
        last[0] = Math.max(last[0], reading);
    }
}

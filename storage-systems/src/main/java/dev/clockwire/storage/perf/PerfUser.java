package dev.clockwire.storage.perf;

/** A load as its queue knows it; everything is called in steps of the queue's core. */
public interface PerfUser {
    /** It may submit from now on. */
    void begin();

    /**
     * An I/O has ended; it may submit.
     *
     * @param good whether it was done
     */
    void ended(int tag, boolean good);
}

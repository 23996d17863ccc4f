package dev.clockwire.storage.daos.engine;

/** Sees the steps of transactions. */
@FunctionalInterface
public interface DtxTap {
    /** Sees nothing. */
    DtxTap NONE = (engine, what, key, epoch) -> {};

    /**
     * A step.
     *
     * @param engine its place in the pool map
     * @param what one of {@link Watch#STEPS}, but for those of clients
     */
    void step(int engine, String what, long key, long epoch);
}

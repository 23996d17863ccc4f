package dev.clockwire.storage.cluster;

/** Hears of the steps that machines take in their protocol. */
@FunctionalInterface
public interface StepTap {
    /** Nobody listens. */
    StepTap NONE = (host, step, ps) -> {};

    /**
     * A step was taken.
     *
     * @param host number of the machine
     * @param ps time of the core
     */
    void step(int host, String step, long ps);
}

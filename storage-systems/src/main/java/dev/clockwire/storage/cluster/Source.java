package dev.clockwire.storage.cluster;

/** Something that a {@link Worker} polls. */
public interface Source {
    /** Takes what is there, a bounded number of things; returns how many. To be called in a step. */
    int poll();

    /** Returns the address whose writes mean that there may be something, of 1 byte. */
    long watchAddress();

    /** Asks for one call of {@link Worker#ready} when there is something new; only a worker that sleeps does so. */
    void arm();

    /** Returns whether something is there already, seen behind {@link #arm}. */
    boolean isReady();

    /** Returns when it has something to do at the latest, in ps. */
    default long deadline() {
        return Timers.NEVER;
    }
}

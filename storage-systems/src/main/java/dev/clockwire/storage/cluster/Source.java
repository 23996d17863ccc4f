package dev.clockwire.storage.cluster;

/** Something that a {@link Worker} polls; one worker at a time has it. */
public abstract class Source {
    /** Whether a worker has it. */
    boolean held;
    /** Whether a worker that sleeps looks at it in its next step. */
    boolean announced;

    /** Creates a source that no worker has. */
    protected Source() {}

    /** Takes what is there, a bounded number of things; returns how many. To be called in a step. */
    public abstract int poll();

    /** Returns the address whose writes mean that there may be something, of 1 byte. */
    public abstract long watchAddress();

    /** Asks for one call of {@link Worker#ready} when there is something new; only a worker that sleeps does so. */
    public abstract void arm();

    /** Returns whether something is there already, seen behind {@link #arm}. */
    public abstract boolean isReady();

    /** Returns whether {@link #deadline} ever says something: who has many sources asks no others. */
    public boolean hasDeadlines() {
        return false;
    }

    /** Returns when it has something to do at the latest, in ps. */
    public long deadline() {
        return Timers.NEVER;
    }
}

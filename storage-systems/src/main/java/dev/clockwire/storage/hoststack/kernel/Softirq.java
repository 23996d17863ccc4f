package dev.clockwire.storage.hoststack.kernel;

/** What goes before all threads: work that an interrupt leaves, and timers. */
public interface Softirq {
    /** Runs once; returns whether there is more to do. */
    boolean run();

    /** Returns when a timer is due, {@code Long.MAX_VALUE} if there is none. */
    default long deadline() {
        return Long.MAX_VALUE;
    }

    /** Does what is due by now. */
    default void expired() {}
}

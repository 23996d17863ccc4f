package dev.clockwire.storage.hoststack.kernel;

/** What goes before all threads: work that an interrupt leaves, and timers. */
public abstract class Softirq {
    /** It was asked for and has not run. */
    boolean raised;
    /** When an interrupt was taken for it last. */
    long interruptedAt = Long.MIN_VALUE / 2;

    /** Creates one that has nothing to do. */
    protected Softirq() {}

    /** Runs once; returns whether there is more to do. */
    protected abstract boolean run();

    /** Whether it is an interrupt's handler itself, which needs no softirq. */
    protected boolean isHandler() {
        return false;
    }

    /** Returns when a timer is due, {@code Long.MAX_VALUE} if there is none. */
    protected long deadline() {
        return Long.MAX_VALUE;
    }

    /** Does what is due by now. */
    protected void expired() {}
}

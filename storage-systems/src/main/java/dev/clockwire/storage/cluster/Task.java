package dev.clockwire.storage.cluster;

/** A piece of work of a {@link Worker}, made once and given to it often; the two numbers say which time this is. */
@FunctionalInterface
public interface Task {
    /** Runs in a step of the worker's core. */
    void run(long a, long b);
}

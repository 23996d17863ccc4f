package dev.clockwire.storage.cluster;

/** What runs on a {@link Node}: begun anew with each incarnation. */
@FunctionalInterface
public interface NodeProgram {
    /** Begins an incarnation: workers and connector are there, the disk is attached. Runs in a step of worker 0. */
    void start(Node node);
}

package dev.clockwire.storage.perf;

import dev.clockwire.sim.host.Cpu;
import dev.clockwire.storage.bdev.IoType;
import org.jspecify.annotations.Nullable;

/** What a load gets from a {@link PerfStack}: a way from one core to one namespace, over one or several queue pairs. */
public interface PerfQueue {
    /** Returns the namespace as the tool prints it, such as {@code PCIE (0000:01:00.0) NSID 1}. */
    String name();

    /** Returns the bytes of a block. */
    int blockBytes();

    /** Returns the number of blocks. */
    long blocks();

    /** Returns the core that submits; the load asks it what time it is. */
    Cpu cpu();

    /** Returns the number of that core in the mask. */
    int lcore();

    /**
     * Allocates memory for data where the queue's commands can reach it.
     *
     * @return its address, aligned to 4 KiB
     */
    long allocate(String what, long bytes);

    /** Has a load begin in a step of the core, and tells it of its I/Os from then on. */
    void start(PerfUser user);

    /**
     * Begins an I/O, in a step of the core: from {@link PerfUser#begin} or {@link PerfUser#ended}. What there is no room for waits inside.
     *
     * @param va of the data
     * @param tag given back when it ends; not in use, 0 to one less than the queue depth
     */
    void submit(IoType type, long lba, int blocks, long va, int tag);

    /** Returns whether the way to the namespace is gone for good: what is under way ends with errors, and nothing more is submitted. */
    default boolean isLost() {
        return false;
    }

    /** Returns how long the stages of I/Os took, null if the stack does not know. */
    default @Nullable StageTimes stages() {
        return null;
    }

    /** Counts the I/O that is ending, one of those that are measured, in {@link #stages}. */
    default void count(int tag, long fromPs, long toPs) {}
}

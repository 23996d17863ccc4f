package dev.clockwire.nic.context;

import dev.clockwire.nic.stage.Journal;

/** What must not overtake the writes of its queue pair to memory, since it says that they are done. */
public interface BehindWrites {
    /** Returns the stage of the followed operation in which it waits. */
    int stage(Journal journal);

    /** Returns the queue pair. */
    int queuePair();

    /** Whether nothing of this queue pair follows. */
    boolean isEnd();

    /**
     * A write in front of this could not be done: makes it say so.
     *
     * @param first whether nothing has said so yet
     * @param part the write's {@link dev.clockwire.pcie.endpoint.DmaWrite#part}
     */
    void unplaced(boolean first, int part);
}

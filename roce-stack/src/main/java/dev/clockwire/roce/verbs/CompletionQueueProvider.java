package dev.clockwire.roce.verbs;

/** What stands behind a {@link CompletionQueue}. The data verbs charge the core of the context. */
public interface CompletionQueueProvider {
    /** The value of {@link #poll} when the queue has overflowed or is broken otherwise. */
    int BROKEN = -1;

    /** Returns the number. */
    int number();

    /** Returns the entries that the queue has: at least as many as were asked for. */
    int capacity();

    /**
     * Takes completions off the queue, oldest first; slots of the send queue that they free are free from then on.
     *
     * @param out is filled from index 0; the objects are reused
     * @param max at most so many
     * @return how many, or {@link #BROKEN}
     */
    int poll(WorkCompletion[] out, int max);

    /** Tells whether a poll at this instant would find something. Costs nothing: for tests and for the end of a run. */
    boolean hasCompletion();

    /**
     * Returns an address in the memory of the core whose byte is written when the next completion comes: what an idle core
     * watches. It may be another one after each poll.
     */
    long watchAddress();

    /** Arms the queue: the next completion, or the next solicited or failed one, makes one event. */
    void reqNotify(boolean solicitedOnly);

    /**
     * Lets an event wait for more completions: it comes after {@code count} of them, or {@code periodUs} after the first, whichever
     * is earlier. 0 and 0: at once. A device that cannot wait leaves this out.
     */
    default void modify(int count, int periodUs, Completion<Integer> done) {
        done.fail(new VerbsException(Errno.EOPNOTSUPP, "modify_cq", "events of this device do not wait"));
    }

    /**
     * Changes the number of entries: gives the number there is then, or fails with EINVAL if what is in the queue does not fit. A
     * device that cannot do it leaves this out.
     */
    default void resize(int cqe, Completion<Integer> done) {
        done.fail(new VerbsException(Errno.EOPNOTSUPP, "resize_cq", "queues of this device keep their size"));
    }

    /** Lets completions share entries, or not. A device that cannot do it leaves this out. */
    default void compress(boolean on, Completion<Integer> done) {
        done.fail(new VerbsException(Errno.EOPNOTSUPP, "modify_cq", "entries of this device are not compressed"));
    }

    /** Destroys the queue, which no queue pair uses: gives its number. */
    void destroy(Completion<Integer> done);
}

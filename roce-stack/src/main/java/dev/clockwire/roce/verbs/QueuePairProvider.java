package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.QpState;

/** What stands behind a {@link QueuePair}. The data verbs charge the core of the context; nothing keeps an entry. */
public interface QueuePairProvider {
    /** Returns the number, 24 bits. */
    int qpn();

    /** Returns the state as the driver knows it now. */
    QpState state();

    /**
     * Changes attributes, after the transition and all values have been found right.
     *
     * @param to the state to go to; the present one if it does not change
     * @param change what is new
     * @param all everything that is set, the new values included
     * @param done gives the state reached
     */
    void modify(QpState to, QpAttributes change, QpAttributes all, Completion<QpState> done);

    /** Paces the sends of a queue pair in RTS. */
    default void limitRate(RateLimit limit, Completion<RateLimit> done) {
        done.fail(new VerbsException(Errno.EOPNOTSUPP, "modify_qp_rate_limit", "this device does not pace"));
    }

    /** Sets the share of a queue pair in a device that schedules by weight or priority. */
    default void schedule(QpSchedule share, Completion<QpSchedule> done) {
        done.fail(new VerbsException(Errno.EOPNOTSUPP, "modify_qp_schedule", "this device lets all take turns"));
    }

    /** Tells whether the send queue is in SQD and messages that had started have not ended. */
    default boolean sqDraining() {
        return false;
    }

    /** Returns how many more sends fit. */
    int sendSpace();

    /** Returns how many more receives fit; not asked of a queue pair that takes them from a shared queue. */
    int receiveSpace();

    /** Writes one send into the queue, with the data if it is inline. The device does not know of it before {@link #ringSend}. */
    void postSend(SendEntry wr);

    /**
     * Writes one work request at which the send queue stands; see {@link QueuePair#postWait}. The device does not know of it before
     * {@link #ringSend}. A device that cannot wait leaves this out.
     */
    default void postWait(long wrId, CompletionQueueProvider cq, long completions) {
        throw new VerbsException(
                Errno.EOPNOTSUPP, "post_wait", "the send queues of this device do not wait for completions");
    }

    /**
     * Writes one work request that releases the next {@code sends} of another queue pair; see {@link QueuePair#postEnable}. The device does
     * not know of it before {@link #ringSend}. A device that cannot leaves this out.
     */
    default void postEnable(long wrId, QueuePairProvider other, int sends) {
        throw new VerbsException(
                Errno.EOPNOTSUPP, "post_enable", "the send queues of this device do not release others");
    }

    /** Tells the device of the sends written since the last call. */
    void ringSend();

    /** Writes one receive into the queue. The device does not know of it before {@link #ringReceive}. */
    void postReceive(ReceiveEntry wr);

    /** Tells the device of the receives written since the last call. */
    void ringReceive();

    /** Destroys the queue pair and takes its completions off the queues: gives its number. */
    void destroy(Completion<Integer> done);
}

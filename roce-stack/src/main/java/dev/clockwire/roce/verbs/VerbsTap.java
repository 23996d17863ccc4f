package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.QpState;

/**
 * Looks on at what the programs of a host ask of their device, and what they get back, whatever stands behind it; it must change nothing. What a program has made
 * before it dies, or its device fails, is gone for whoever looks on: {@link #pairGone} names each queue pair.
 */
public interface VerbsTap {
    /** The number of the shared receive queue of a queue pair that has receives of its own. */
    int OWN = -1;

    /**
     * There is a completion queue.
     *
     * @param entries as many as were asked for
     */
    default void queueMade(int cqn, int entries) {}

    /** There is a shared receive queue. */
    default void sharedMade(int srqn) {}

    /**
     * There is a queue pair.
     *
     * @param srqn where its receives come from, {@link #OWN} if it has them itself
     */
    default void pairMade(int qpn, int sendCqn, int recvCqn, int srqn) {}

    /**
     * A queue pair has been brought into a state, or got other attributes in the one that it has.
     *
     * @param maxRdAtomic READs and atomics that it may have under way
     */
    default void modified(int qpn, QpState state, int maxRdAtomic) {}

    /**
     * A send is posted.
     *
     * @param signaled whether it has a completion when it succeeds
     */
    default void sendPosted(int qpn, long wrId, boolean signaled) {}

    /** A request is posted at which the send queue stands until others have completed: sends behind it may wait for long. */
    default void waitPosted(int qpn) {}

    /** A receive is posted to a queue pair of its own. */
    default void receivePosted(int qpn, long wrId) {}

    /** A receive is posted to a shared queue. */
    default void sharedPosted(int srqn, long wrId) {}

    /** The program is given a completion. */
    default void completed(int cqn, WorkCompletion wc) {}

    /**
     * The program destroys a queue pair.
     *
     * @param unpolled whether there are completions in its queues that nobody has asked for, perhaps of others
     */
    default void closing(int qpn, boolean unpolled) {}

    /** A queue pair is gone, and its completions with it. */
    default void pairGone(int qpn) {}
}

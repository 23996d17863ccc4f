package dev.clockwire.roce.verbs;

import dev.clockwire.roce.wire.FlowAddress;

/** What stands behind a {@link Context}. Each call ends its completion later, or at once if it costs no time. */
public interface ContextProvider {
    /** Allocates a protection domain: gives its number. */
    void allocPd(Completion<Integer> done);

    /** Frees a protection domain that is not in use: gives its number. */
    void deallocPd(int pd, Completion<Integer> done);

    /** Registers memory. */
    void regMr(int pd, MrRange range, Completion<MrKeys> done);

    /** Removes a registration; no new access is granted when it has ended. */
    void deregMr(MrKeys keys, Completion<MrKeys> done);

    /**
     * Creates a completion queue.
     *
     * @param cqe entries at least
     * @param events runs in a step of the core when a notification fires that {@link CompletionQueueProvider#reqNotify} asked for
     */
    void createCq(int cqe, Runnable events, Completion<CompletionQueueProvider> done);

    /** Creates a queue pair in RESET; {@code init} names the completion queues by their handles. */
    void createQp(int pd, QpInit init, Completion<QueuePairProvider> done);

    /** Finds the way to an address: gives the addresses of its frames, or fails with ENODEV or ETIMEDOUT. */
    void createAh(int pd, AddressVector to, Completion<FlowAddress> done);
}

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

    /** Removes a registration; no new access is granted when it has ended. Fails with EBUSY while a window is bound to it. */
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

    /**
     * Creates a shared receive queue; {@code done} gives what queue pairs find in {@link QpInit#srq}. A device without such queues
     * leaves this out.
     */
    default void createSrq(int pd, SrqAttributes size, Completion<SharedReceiveQueueProvider> done) {
        done.fail(unsupported("create_srq"));
    }

    /** Allocates a memory window: gives its key, with which it opens nothing yet. A device without windows leaves this out. */
    default void allocMw(int pd, MwType type, Completion<Integer> done) {
        done.fail(unsupported("alloc_mw"));
    }

    /** Frees a memory window; {@code key} is the one that {@link #allocMw} gave. */
    default void deallocMw(int key, Completion<Integer> done) {
        done.fail(unsupported("dealloc_mw"));
    }

    /** Allocates device memory. A device without it leaves this out. */
    default void allocDm(long length, Completion<DeviceMemoryProvider> done) {
        done.fail(unsupported("alloc_dm"));
    }

    /** Registers device memory: {@link MrRange#address} counts in it. A device without it leaves this out. */
    default void regDmMr(int pd, DeviceMemoryProvider memory, MrRange range, Completion<MrKeys> done) {
        done.fail(unsupported("reg_dm_mr"));
    }

    /** Registers memory of another device: {@link MrRange#address} is one of the bus. A device that reaches none leaves this out. */
    default void regDmabufMr(int pd, DmaBuf memory, MrRange range, Completion<MrKeys> done) {
        done.fail(unsupported("reg_dmabuf_mr"));
    }

    private static VerbsException unsupported(String verb) {
        return new VerbsException(Errno.EOPNOTSUPP, verb, "the device has nothing of the kind");
    }

    /** Forgets a device that was opened: nothing is told there any more. */
    default void close() {}

    /** Finds the way to an address: gives the addresses of its frames, or fails with ENODEV or ETIMEDOUT. */
    void createAh(int pd, AddressVector to, Completion<FlowAddress> done);
}

package dev.clockwire.sim.host;

/** The kinds of work whose price a processor's cost model knows; drivers and programs say what they do, not what it costs. */
public enum HostCost {
    /** One store to device memory, in addition to whatever its bytes take on the link. */
    MMIO_WRITE,
    /** One access to memory that a device has written since. */
    CACHE_MISS,
    /** One look at a queue that is empty. */
    POLL,
    /** Taking one interrupt, up to its handler. */
    INTERRUPT,
    /** One call into the kernel and back. */
    SYSCALL,
    /** One switch to another thread. */
    CONTEXT_SWITCH,
    /** Copying one byte from memory to memory. */
    COPY_BYTE,
    /** Building one work request and its queue entry. */
    POST,
    /** Reading one completion queue entry and handing it to the program. */
    COMPLETION
}

package dev.clockwire.bench.nvmf;

import java.util.Locale;

/** What lies between the load and the SSDs. */
public enum StackKind {
    /** Nothing but PCIe: the SSDs are in the host that loads them. */
    LOCAL,
    /** NVMe over RDMA, both sides in user space. */
    SPDK,
    /** As {@link #SPDK}, but the target's NIC executes reads, writes and flushes. */
    OFFLOAD,
    /** NVMe over RDMA, both sides in the kernel. */
    KERNEL_RDMA,
    /** NVMe over TCP, both sides in the kernel. */
    KERNEL_TCP;

    /** Returns whether both sides are SPDK's reactors. */
    public boolean hasReactors() {
        return this == SPDK || this == OFFLOAD;
    }

    /** Returns the name as typed. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

/**
 * NVMe over a network with both ends in the kernel, to compare user-space stacks with: TCP as frames through the Ethernet queues of the NIC, RDMA
 * through its verbs, and on both sides what a kernel costs its core. {@link dev.clockwire.storage.hoststack.KernelTcpStack} puts it together.
 */
@NullMarked
package dev.clockwire.storage.hoststack;

import org.jspecify.annotations.NullMarked;

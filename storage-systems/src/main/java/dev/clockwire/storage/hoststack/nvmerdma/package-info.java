/**
 * NVMe over RDMA, a host and a target in the kernel over verbs: completions come by interrupt, to a softirq at the host and to a kworker at the
 * target. Source: Linux drivers/nvme/host/rdma.c, drivers/nvme/target/rdma.c, drivers/infiniband/core/cq.c. The verbs have no REG_MR: each I/O
 * binds a window of type 2 instead, which is a WQE and a key of its own, too, and which the response invalidates.
 */
@NullMarked
package dev.clockwire.storage.hoststack.nvmerdma;

import org.jspecify.annotations.NullMarked;

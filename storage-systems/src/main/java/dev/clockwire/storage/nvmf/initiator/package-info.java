/**
 * A host that uses NVMe subsystems over RDMA, in the order in which SPDK's does it: connections with private data, capsules with keyed data,
 * data of writes inside the capsule where the target takes them, sends that leave together at the end of a poll, keep-alive, and reconnection
 * behind which nothing that was submitted is lost. Source: SPDK 26.09, {@code lib/nvme/nvme_rdma.c} and {@code nvme_ctrlr.c}.
 */
@NullMarked
package dev.clockwire.storage.nvmf.initiator;

import org.jspecify.annotations.NullMarked;

/**
 * The target of NVMe over fabrics: the registry that is configured, sessions of hosts, and the RDMA transport. Source of orders, states and
 * statuses: SPDK 26.09, {@code lib/nvmf}; where a Linux target differs, its captured dialogues.
 */
@NullMarked
package dev.clockwire.storage.nvmf.target;

import org.jspecify.annotations.NullMarked;

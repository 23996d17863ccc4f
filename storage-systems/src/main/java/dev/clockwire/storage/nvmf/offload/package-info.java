/** The NVMe-oF target offload of a NIC, as a target uses it: queue pairs of SSDs that the NIC drives, and queues that it shares with the target. */
@NullMarked
package dev.clockwire.storage.nvmf.offload;

import org.jspecify.annotations.NullMarked;

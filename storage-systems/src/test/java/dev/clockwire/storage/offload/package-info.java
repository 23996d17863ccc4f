/** The NVMe-oF offload of the NIC with an SSD behind the same switch, beside a core that does the same. */
@NullMarked
package dev.clockwire.storage.offload;

import org.jspecify.annotations.NullMarked;

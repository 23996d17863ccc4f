/** Memory of an SSD as the target of RDMA: from device to device, past the host's memory. */
@NullMarked
package dev.clockwire.storage.peer;

import org.jspecify.annotations.NullMarked;

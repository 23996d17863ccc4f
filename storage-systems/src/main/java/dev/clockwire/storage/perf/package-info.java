/** The load of {@code spdk_nvme_perf}: closed loops of a queue depth over a device. */
@NullMarked
package dev.clockwire.storage.perf;

import org.jspecify.annotations.NullMarked;

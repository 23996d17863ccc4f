/** The payload engine: packets that wait for their payload, in order per queue pair. */
@NullMarked
package dev.clockwire.nic.dma;

import org.jspecify.annotations.NullMarked;

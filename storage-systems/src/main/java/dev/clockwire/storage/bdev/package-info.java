/**
 * Block devices on threads of reactors, as SPDK's bdev layer has them: channels, a pool of I/Os, a queue for those that a device has no
 * room for, and small devices: memory, nothing, delay, errors. Source of orders and constants: SPDK 26.09, {@code lib/bdev}.
 */
@NullMarked
package dev.clockwire.storage.bdev;

import org.jspecify.annotations.NullMarked;

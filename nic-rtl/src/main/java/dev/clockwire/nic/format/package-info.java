/**
 * What driver and device exchange in memory and over MMIO, bit by bit: WQE, CQE, doorbell record, doorbells. The layout
 * follows mlx5: big-endian, 64 B building blocks.
 */
@NullMarked
package dev.clockwire.nic.format;

import org.jspecify.annotations.NullMarked;

/**
 * Reactors as SPDK has them: one busy loop per core, with an event ring, threads, message rings, active and timed pollers, channels of
 * devices and pools that can run dry. Source of orders and constants: SPDK 26.09, {@code lib/thread} and {@code lib/event}.
 */
@NullMarked
package dev.clockwire.storage.reactor;

import org.jspecify.annotations.NullMarked;

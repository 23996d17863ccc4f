/**
 * The kernel: a simulation, its clocks, modules and event-driven nodes, and the channels between them. Times are picoseconds in a
 * {@code long}. The laws of time are in {@code docs/timing-model.md}.
 */
@NullMarked
package dev.clockwire.sim;

import org.jspecify.annotations.NullMarked;

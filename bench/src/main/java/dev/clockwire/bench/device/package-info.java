/** A simulated NIC as the tools of a real machine show it: text in their formats, and readers of that text. */
@NullMarked
package dev.clockwire.bench.device;

import org.jspecify.annotations.NullMarked;

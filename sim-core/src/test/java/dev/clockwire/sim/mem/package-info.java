/** Tests of memory and payloads. */
@NullMarked
package dev.clockwire.sim.mem;

import org.jspecify.annotations.NullMarked;

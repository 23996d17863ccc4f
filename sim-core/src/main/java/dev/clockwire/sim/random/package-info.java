/** Named, counter-based random streams. */
@NullMarked
package dev.clockwire.sim.random;

import org.jspecify.annotations.NullMarked;

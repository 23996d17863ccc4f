/** Tests of the package of the same name. */
@NullMarked
package dev.clockwire.sim.trace;

import org.jspecify.annotations.NullMarked;

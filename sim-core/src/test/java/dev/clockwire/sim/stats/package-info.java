/** Tests of the package of the same name. */
@NullMarked
package dev.clockwire.sim.stats;

import org.jspecify.annotations.NullMarked;

/** Tests of the package of the same name. */
@NullMarked
package dev.clockwire.sim.reg;

import org.jspecify.annotations.NullMarked;

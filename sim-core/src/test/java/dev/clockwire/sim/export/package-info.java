/** Tests of the package of the same name. */
@NullMarked
package dev.clockwire.sim.export;

import org.jspecify.annotations.NullMarked;

/** Tests of the package of the same name. */
@NullMarked
package dev.clockwire.sim.host;

import org.jspecify.annotations.NullMarked;

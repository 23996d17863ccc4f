/** Tests of the package of the same name. */
@NullMarked
package dev.clockwire.sim.wave;

import org.jspecify.annotations.NullMarked;

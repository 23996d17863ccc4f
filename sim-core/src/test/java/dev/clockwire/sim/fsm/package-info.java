/** Tests of the package of the same name. */
@NullMarked
package dev.clockwire.sim.fsm;

import org.jspecify.annotations.NullMarked;

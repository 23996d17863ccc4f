/** State machines that record what they do. */
@NullMarked
package dev.clockwire.sim.fsm;

import org.jspecify.annotations.NullMarked;

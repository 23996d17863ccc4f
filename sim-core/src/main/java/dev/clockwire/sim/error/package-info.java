/** The error family: the user's mistake, our bug, or a broken rule of the modelled hardware. */
@NullMarked
package dev.clockwire.sim.error;

import org.jspecify.annotations.NullMarked;

/** Waves of a running simulation: which signals of which channels, state machines and registers, and when. */
@NullMarked
package dev.clockwire.sim.wave;

import org.jspecify.annotations.NullMarked;

/**
 * One design over several threads. Its parts are simulations of their own that reach each other through mailboxes only, and nothing gets there
 * sooner than a known time: as far ahead may each part run. The trace is that of one simulation.
 */
@NullMarked
package dev.clockwire.sim.parallel;

import org.jspecify.annotations.NullMarked;

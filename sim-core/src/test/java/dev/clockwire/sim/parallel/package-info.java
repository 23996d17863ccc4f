/** Tests of parts on several threads. */
@NullMarked
package dev.clockwire.sim.parallel;

import org.jspecify.annotations.NullMarked;

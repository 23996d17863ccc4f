/** What a run can tell about itself while it happens: taps, journeys and the trace hash. */
@NullMarked
package dev.clockwire.sim.trace;

import org.jspecify.annotations.NullMarked;

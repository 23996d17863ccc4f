/**
 * What a run can tell about itself while it happens: taps, journeys and the trace hash.
 *
 * <p>Two kinds of stamps tell where the time of a followed operation went, both primitives in one ring, both behind one null check:
 *
 * <ul>
 *   <li>a <em>stage</em>: (journey, stage, part, in, out), left by the block that served it;
 *   <li>a <em>delay</em>: (journey, cause, from, to), left where a wait ends by the block that knows why it waited, with one of the names in
 *       {@link dev.clockwire.sim.trace.Causes}. {@code SimNode.delayed(journey, sim.causes().rate, from, to)} is all it takes. Of an
 *       operation with many packets, one packet's delay carries its number, so that it counts only where that packet is critical.
 * </ul>
 *
 * {@link dev.clockwire.sim.trace.Waterfall#along} finds the critical path through the stages and splits each into work and causes, which
 * together are the total.
 */
@NullMarked
package dev.clockwire.sim.trace;

import org.jspecify.annotations.NullMarked;

/** Statistics of a run: counters, time-weighted gauges, log-linear histograms, and the registry that names them. */
@NullMarked
package dev.clockwire.sim.stats;

import org.jspecify.annotations.NullMarked;

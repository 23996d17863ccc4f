/** The tools of perftest in simulated time: what they run, measure and print. */
@NullMarked
package dev.clockwire.bench.perftest;

import org.jspecify.annotations.NullMarked;

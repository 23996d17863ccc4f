/** Many independent runs: the plan, its rows, the pool that runs them, shards, and what is made of the results. */
@NullMarked
package dev.clockwire.bench.sweep;

import org.jspecify.annotations.NullMarked;

/** One page that shows a run, made from the files that the run has left. */
@NullMarked
package dev.clockwire.bench.report;

import org.jspecify.annotations.NullMarked;

/** One page that shows a run or a sweep, made from the files that it has left. */
@NullMarked
package dev.clockwire.bench.report;

import org.jspecify.annotations.NullMarked;

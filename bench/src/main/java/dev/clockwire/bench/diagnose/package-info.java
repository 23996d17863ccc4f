/** Likely causes of trouble, named from the counters of a run or of a real machine and from nothing else. */
@NullMarked
package dev.clockwire.bench.diagnose;

import org.jspecify.annotations.NullMarked;

/** Fault files: plans of what goes wrong, as people write them. */
@NullMarked
package dev.clockwire.bench.fault;

import org.jspecify.annotations.NullMarked;

/** Fabrics on the command line: files that describe them, runs, results. */
@NullMarked
package dev.clockwire.bench.fabric;

import org.jspecify.annotations.NullMarked;

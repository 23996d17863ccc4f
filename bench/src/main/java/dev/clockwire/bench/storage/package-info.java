/** Storage systems of the command line: which one is built of what, its faults, and how its results are shown. */
@NullMarked
package dev.clockwire.bench.storage;

import org.jspecify.annotations.NullMarked;

/** Published measurements, simulated: rows of a file, the rules that turn a row into a run, the comparison, the fit of profiles. */
@NullMarked
package dev.clockwire.bench.validate;

import org.jspecify.annotations.NullMarked;

/** The files that a run leaves behind. */
@NullMarked
package dev.clockwire.bench.artefact;

import org.jspecify.annotations.NullMarked;

/** Where the time of an operation went, as text and as a document. */
@NullMarked
package dev.clockwire.bench.explain;

import org.jspecify.annotations.NullMarked;

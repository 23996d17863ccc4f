/** Tests of loads. */
@NullMarked
package dev.clockwire.storage.perf;

import org.jspecify.annotations.NullMarked;

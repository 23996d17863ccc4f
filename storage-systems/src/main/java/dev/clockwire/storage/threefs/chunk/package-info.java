/** Chunks of one target: versions, copy on write, what is durable. */
@NullMarked
package dev.clockwire.storage.threefs.chunk;

import org.jspecify.annotations.NullMarked;

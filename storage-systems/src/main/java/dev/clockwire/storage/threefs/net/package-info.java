/** The stream socket of 3FS over one reliable connection: buffers, credits, one-sided batches. */
@NullMarked
package dev.clockwire.storage.threefs.net;

import org.jspecify.annotations.NullMarked;

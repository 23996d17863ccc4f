/** The storage service: chunk locks, the write path along the chain, reads, resync. */
@NullMarked
package dev.clockwire.storage.threefs.server;

import org.jspecify.annotations.NullMarked;

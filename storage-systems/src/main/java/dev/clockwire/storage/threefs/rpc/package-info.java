/** Requests and answers over sockets: ids, timeouts, connections on first use. */
@NullMarked
package dev.clockwire.storage.threefs.rpc;

import org.jspecify.annotations.NullMarked;

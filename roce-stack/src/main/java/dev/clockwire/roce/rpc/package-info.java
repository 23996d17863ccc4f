/**
 * Calls over SEND and RECV of one connected queue pair, the way storage systems carry their metadata: a message has a header of 16 bytes, and nobody
 * sends what the other side has no receive for.
 */
@NullMarked
package dev.clockwire.roce.rpc;

import org.jspecify.annotations.NullMarked;

/** JSON-RPC as text: read from a stream without framing, served on a Unix socket, and SPDK's JSON configuration files. */
@NullMarked
package dev.clockwire.bench.rpc;

import org.jspecify.annotations.NullMarked;

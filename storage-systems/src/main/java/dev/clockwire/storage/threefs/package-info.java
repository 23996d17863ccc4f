/**
 * 3FS: chains of replicas after CRAQ, over RDMA. {@code net} is its socket, {@code rpc} its calls, {@code mgmtd} who serves, {@code chunk} what a disk holds,
 * {@code server} and {@code client} the data path.
 */
@NullMarked
package dev.clockwire.storage.threefs;

import org.jspecify.annotations.NullMarked;

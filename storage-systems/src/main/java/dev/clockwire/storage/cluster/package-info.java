/**
 * Nodes that storage systems run on: workers (event loops on simulated cores), disks, connections, crashes and what comes back after them, protocol
 * events, and counting on the wire.
 */
@NullMarked
package dev.clockwire.storage.cluster;

import org.jspecify.annotations.NullMarked;

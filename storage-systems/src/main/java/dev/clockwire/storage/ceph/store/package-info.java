/** A log-structured object store in the manner of SeaStore: segments that are appended to, transactions that are durable with one write, group commit. */
@NullMarked
package dev.clockwire.storage.ceph.store;

import org.jspecify.annotations.NullMarked;

/** Distributed transactions of DAOS: a leader has all replicas prepare, then they are committed lazily. */
@NullMarked
package dev.clockwire.storage.daos.dtx;

import org.jspecify.annotations.NullMarked;

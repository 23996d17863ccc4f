/** A client of Ceph: knows the map, asks primaries, asks again when they change. */
@NullMarked
package dev.clockwire.storage.ceph.client;

import org.jspecify.annotations.NullMarked;

/** Object storage daemons and the monitor that tells them who is up: placement groups, primary-copy replication, peering, recovery. */
@NullMarked
package dev.clockwire.storage.ceph.osd;

import org.jspecify.annotations.NullMarked;

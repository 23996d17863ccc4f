@NullMarked
package dev.clockwire.storage.ceph.store;

import org.jspecify.annotations.NullMarked;

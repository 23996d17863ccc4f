@NullMarked
package dev.clockwire.storage.ceph.stream;

import org.jspecify.annotations.NullMarked;

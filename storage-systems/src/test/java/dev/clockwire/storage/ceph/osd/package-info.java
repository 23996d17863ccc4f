@NullMarked
package dev.clockwire.storage.ceph.osd;

import org.jspecify.annotations.NullMarked;

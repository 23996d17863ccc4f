@NullMarked
package dev.clockwire.storage.ceph.msgr2;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.clockwire.storage.ceph;

import org.jspecify.annotations.NullMarked;

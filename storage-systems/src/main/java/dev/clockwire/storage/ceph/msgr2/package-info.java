/** Ceph's messenger protocol, version 2.1 in crc mode: frames in their true sizes, sessions that lose nothing or are begun anew. */
@NullMarked
package dev.clockwire.storage.ceph.msgr2;

import org.jspecify.annotations.NullMarked;

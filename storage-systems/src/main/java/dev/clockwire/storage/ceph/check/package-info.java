/** What Ceph tells while it runs, and who watches what it promises beside the invariants of any replicated store. */
@NullMarked
package dev.clockwire.storage.ceph.check;

import org.jspecify.annotations.NullMarked;

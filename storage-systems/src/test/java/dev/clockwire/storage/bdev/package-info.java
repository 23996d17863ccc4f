/** Tests of block devices. */
@NullMarked
package dev.clockwire.storage.bdev;

import org.jspecify.annotations.NullMarked;

/** Connections along a chain, one for each writer, over which NICs pass bytes on by themselves. */
@NullMarked
package dev.clockwire.storage.threefs.lane;

import org.jspecify.annotations.NullMarked;

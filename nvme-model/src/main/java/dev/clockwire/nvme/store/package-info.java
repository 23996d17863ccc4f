/** Blocks that keep what is written to them. No time passes here. */
@NullMarked
package dev.clockwire.nvme.store;

import org.jspecify.annotations.NullMarked;

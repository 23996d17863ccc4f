/** Tests of what SSDs are made of. */
@NullMarked
package dev.clockwire.nvme.store;

import org.jspecify.annotations.NullMarked;

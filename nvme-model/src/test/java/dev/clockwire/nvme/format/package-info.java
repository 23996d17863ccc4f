/** Tests of what NVMe says in bytes. */
@NullMarked
package dev.clockwire.nvme.format;

import org.jspecify.annotations.NullMarked;

/** Tests of what NVMe over fabrics adds in bytes. */
@NullMarked
package dev.clockwire.nvme.fabrics;

import org.jspecify.annotations.NullMarked;

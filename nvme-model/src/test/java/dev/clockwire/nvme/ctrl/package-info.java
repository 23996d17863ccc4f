/** Tests of controllers and their driver on a whole host. */
@NullMarked
package dev.clockwire.nvme.ctrl;

import org.jspecify.annotations.NullMarked;

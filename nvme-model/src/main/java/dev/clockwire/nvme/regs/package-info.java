/** The registers of a controller, as NVM Express places them in BAR 0. */
@NullMarked
package dev.clockwire.nvme.regs;

import org.jspecify.annotations.NullMarked;

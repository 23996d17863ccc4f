/** The registers of the NIC behind its windows: control and status, rates, interrupt vectors. */
@NullMarked
package dev.clockwire.nic.regs;

import org.jspecify.annotations.NullMarked;

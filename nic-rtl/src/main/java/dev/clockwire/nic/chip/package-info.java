/** Memory inside the NIC that programs may use. */
@NullMarked
package dev.clockwire.nic.chip;

import org.jspecify.annotations.NullMarked;

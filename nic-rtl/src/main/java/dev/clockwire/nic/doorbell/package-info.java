/** The UAR: what the host writes there becomes a doorbell, or a whole WQE. */
@NullMarked
package dev.clockwire.nic.doorbell;

import org.jspecify.annotations.NullMarked;

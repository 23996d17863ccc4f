/** The transmit MAC and the receive side up to the line. */
@NullMarked
package dev.clockwire.nic.mac;

import org.jspecify.annotations.NullMarked;

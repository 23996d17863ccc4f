/** The device's side of a link: DMA reads and writes, and windows into the device. */
@NullMarked
package dev.clockwire.pcie.endpoint;

import org.jspecify.annotations.NullMarked;

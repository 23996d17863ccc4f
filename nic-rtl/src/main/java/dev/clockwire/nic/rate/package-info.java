/** The gate in front of the payload DMA that paces queue pairs with a token bucket each. */
@NullMarked
package dev.clockwire.nic.rate;

import org.jspecify.annotations.NullMarked;

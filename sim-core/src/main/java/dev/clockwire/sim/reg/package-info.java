/** Register banks: what a driver sees of a device, declared once and turned into decoding, side effects and documentation. */
@NullMarked
package dev.clockwire.sim.reg;

import org.jspecify.annotations.NullMarked;

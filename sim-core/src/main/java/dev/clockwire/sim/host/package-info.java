/** What a driver sees of the processor it runs on. */
@NullMarked
package dev.clockwire.sim.host;

import org.jspecify.annotations.NullMarked;

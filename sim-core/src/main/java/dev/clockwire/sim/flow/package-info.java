/** Blocks that direct the flow of tokens: arbiters, fork and join. */
@NullMarked
package dev.clockwire.sim.flow;

import org.jspecify.annotations.NullMarked;

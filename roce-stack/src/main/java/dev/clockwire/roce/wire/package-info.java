/**
 * What a RoCE frame is: opcodes, headers, padding and the invariant CRC. Nothing here has a time or a state.
 *
 * <p>Source of the layouts: InfiniBand Architecture volume 1 with annexes A16 and A17, as implemented by the Linux kernel.
 */
@NullMarked
package dev.clockwire.roce.wire;

import org.jspecify.annotations.NullMarked;

/**
 * A functional verbs provider: what soft-RoCE is to Linux. It puts the same frames on the wire and makes the same completions as the
 * hardware, by the same rules ({@link dev.clockwire.roce.transport}), but has no clock: a frame is handled in one event.
 */
@NullMarked
package dev.clockwire.roce.soft;

import org.jspecify.annotations.NullMarked;

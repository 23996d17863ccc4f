/**
 * What lies between two devices: links with their rate, length and framing. A frame costs one event, at the far end; times
 * are exact rationals, so nothing drifts.
 */
@NullMarked
package dev.clockwire.roce.fabric;

import org.jspecify.annotations.NullMarked;

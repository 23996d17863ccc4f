/** Pipeline stages that only take time: a latency, an initiation interval, an action. */
@NullMarked
package dev.clockwire.nic.stage;

import org.jspecify.annotations.NullMarked;

/**
 * What the device knows of queues and keys. Contexts are written by control commands, which are events, and read by the
 * blocks in their ticks; what changes with every packet belongs to one block alone and lies in that block's state.
 */
@NullMarked
package dev.clockwire.nic.context;

import org.jspecify.annotations.NullMarked;

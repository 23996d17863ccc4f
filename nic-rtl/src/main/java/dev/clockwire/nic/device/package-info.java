/** The device: wires the blocks along the data path and carries out control commands. */
@NullMarked
package dev.clockwire.nic.device;

import org.jspecify.annotations.NullMarked;

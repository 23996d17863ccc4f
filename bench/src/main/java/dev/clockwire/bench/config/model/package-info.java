/**
 * What configuration files say of switches and hosts, whatever their format: a {@link DeviceConfig} has ports, a port has settings of its own
 * and of its eight priorities, and each {@link Setting} knows the line that made it.
 */
@NullMarked
package dev.clockwire.bench.config.model;

import org.jspecify.annotations.NullMarked;

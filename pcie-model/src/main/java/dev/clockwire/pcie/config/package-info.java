/** The configuration space of a function: header, capabilities, windows, error reporting, as banks of registers. */
@NullMarked
package dev.clockwire.pcie.config;

import org.jspecify.annotations.NullMarked;

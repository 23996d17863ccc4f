/** The device's user-space driver: rings in host memory, doorbells, and the provider behind the verbs. */
@NullMarked
package dev.clockwire.nic.driver;

import org.jspecify.annotations.NullMarked;

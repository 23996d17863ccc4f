/**
 * Lines of configuration of real machines, read as what they do to a simulated NIC: values of the profile, writes to its configuration
 * space, and findings where a line does something else than people expect. A format is one {@link ConfigFormat}; {@link ConfigImport} tries
 * them in order.
 */
@NullMarked
package dev.clockwire.bench.config;

import org.jspecify.annotations.NullMarked;
